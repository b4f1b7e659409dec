import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import dockerignore from '@balena/dockerignore'
import { execute } from '@gatehouse/local/execute'

/** An instruction of a Dockerfile: `COPY`, and what follows it. */
interface Instruction {
  name: string
  text: string
}

/** The instructions of a Dockerfile. */
function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  return lines.filter(Boolean).map((line) => {
    const [name = ''] = line.split(' ', 1)
    return { name, text: line.slice(name.length).trim() }
  })
}

/** An image as a folder, without the image on which it is made. */
export interface Image {
  /** The folder of its file system. */
  root: string
  /** The folder in which its processes start, from its root. */
  workdir: string
  /** What follows its last instruction of each name. */
  last: Record<string, string>
}

interface ImageOptions {
  /** The folder that is sent to the engine, without what its `.dockerignore` names. */
  context: string
  /** An empty folder for the file systems of the stages. */
  folder: string
  /** Carries out a RUN in the working folder of its stage. */
  run: (command: string, cwd: string) => Promise<unknown>
}

/**
 * Does what an engine would do with a Dockerfile, without one. It knows as much of the language as ours needs, and its commands have to keep to
 * their working folder. Gives the last stage.
 */
export async function buildImage(dockerfile: string, { context, folder, run }: ImageOptions): Promise<Image> {
  const sent = await sentFiles(context)
  const stages = new Map<string, Image>()
  let image: Image = { root: '', workdir: '', last: {} }
  for (const { name, text } of instructionsOf(dockerfile)) {
    if (name === 'FROM') {
      const stage = /\sAS\s+(\S+)$/.exec(text)?.[1] ?? String(stages.size)
      image = { root: join(folder, stage), workdir: '', last: {} }
      stages.set(stage, image)
    }
    if (name === 'WORKDIR') {
      image.workdir = text
      await mkdir(join(image.root, text), { recursive: true })
    }
    const cwd = join(image.root, image.workdir)
    if (name === 'RUN') await run(text, cwd)
    if (name === 'COPY') {
      const [, stage, from = '', to = ''] = /^(?:--from=(\S+)\s+)?(\S+)\s+(\S+)$/.exec(text) ?? []
      const target = join(to.startsWith('/') ? image.root : cwd, to)
      if (stage)
        await copyLinked(
          join(stages.get(stage)?.root ?? '', from),
          to.endsWith('/') ? join(target, basename(from)) : target,
        )
      else await copyAll(context, sent, from, target)
    }
    image.last[name] = text
  }
  return image
}

/** The paths of the files that `.dockerignore` lets pass. */
async function sentFiles(context: string): Promise<string[]> {
  const text = await readFile(join(context, '.dockerignore'), 'utf8')
  const ignored = dockerignore.default().add(text)
  // They are not looked through: they hold most files of a checkout.
  const never = ['.git', 'node_modules']
  if (!never.every((name) => ignored.ignores(`${name}/any`))) throw new Error('.dockerignore lets too much pass')
  const filesIn = async (folder: string): Promise<string[]> => {
    const entries = await readdir(join(context, folder), { withFileTypes: true })
    const found = entries.map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return never.includes(entry.name) ? [] : await filesIn(path)
      return ignored.ignores(path) ? [] : [path]
    })
    return (await Promise.all(found)).flat()
  }
  return await filesIn('')
}

/** Copies the file or folder `from` of the context. */
async function copyAll(context: string, sent: readonly string[], from: string, to: string): Promise<void> {
  const isFile = sent.includes(from)
  const inFolder = from === '.' ? sent : sent.filter((file) => file.startsWith(`${from}/`))
  const files = isFile ? [from] : inFolder
  if (files.length === 0) throw new Error(`COPY ${from}: nothing of that name is sent`)
  for (const file of files) {
    const target = join(to, isFile || from === '.' ? file : file.slice(from.length + 1))
    await mkdir(dirname(target), { recursive: true })
    await copyFile(join(context, file), target)
  }
}

/** Copies a file or folder of another stage, by hard links, which take neither time nor room. */
async function copyLinked(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await execute('cp', ['--archive', '--link', '--no-target-directory', from, to])
}
