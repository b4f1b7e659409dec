import { copyFile, glob, mkdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import dockerignore from '@balena/dockerignore'
import { execute } from '@gatehouse/local/execute'

/** An image as a folder, without the image on which it is made. */
export interface Image {
  /** The folder of its file system. */
  root: string
  /** The folder in which its processes start, from its root. */
  workdir: string
  /** What follows its last instruction of each name. */
  last: Record<string, string>
}

/**
 * Does what an engine would do with the Dockerfile of `context`, without one, and returns the last stage. `folder` is empty and gets the file systems
 * of the stages. It knows as much of the language as ours needs, and its commands have to keep to their working folder.
 */
export async function buildImage(context: string, folder: string): Promise<Image> {
  const dockerfile = await readFile(join(context, 'Dockerfile'), 'utf8')
  const sent = await sentFiles(context)
  const stages: Record<string, Image> = {}
  let image: Image = { root: '', workdir: '', last: {} }
  const instructions = dockerfile.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  for (const [, name = '', text = ''] of instructions.matchAll(/^(\w+) +(.*)$/gm)) {
    const cwd = join(image.root, image.workdir)
    if (name === 'FROM') {
      const stage = / AS (\S+)$/.exec(text)?.[1] ?? 'last'
      image = stages[stage] = { root: join(folder, stage), workdir: '', last: {} }
    }
    if (name === 'WORKDIR') {
      image.workdir = text
      await mkdir(join(image.root, text), { recursive: true })
    }
    if (name === 'RUN') await execute('sh', ['-euc', text], { cwd })
    if (name === 'COPY') {
      const [, stage, from = '', to = ''] = /^(?:--from=(\S+) +)?(\S+) +(\S+)$/.exec(text) ?? []
      const target = join(to.startsWith('/') ? image.root : cwd, to)
      const whole = to.endsWith('/') ? join(target, basename(from)) : target
      if (stage) {
        await mkdir(dirname(whole), { recursive: true })
        // By hard links, which take neither time nor room.
        await execute('cp', ['--archive', '--link', '--no-target-directory', `${stages[stage]?.root}${from}`, whole])
      } else await copySent(context, sent, from, target)
    }
    image.last[name] = text
  }
  return image
}

/** The paths of the files that `.dockerignore` lets pass. */
async function sentFiles(context: string): Promise<string[]> {
  const ignored = dockerignore.default().add(await readFile(join(context, '.dockerignore'), 'utf8'))
  // They are not looked through: they hold most files of a checkout.
  const never = ['.git', '.gatehouse', 'node_modules']
  if (!never.every((name) => ignored.ignores(`${name}/any`))) throw new Error('.dockerignore lets too much pass')
  const all = glob(['**', '**/.*'], { cwd: context, withFileTypes: true, exclude: ({ name }) => never.includes(name) })
  const files = await Array.fromAsync(all)
  return files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(context.length + 1))
    .filter((path) => !ignored.ignores(path))
}

/** Copies the file or folder `from` of the context. */
async function copySent(context: string, sent: readonly string[], from: string, to: string): Promise<void> {
  const files = sent.filter((file) => from === '.' || file === from || file.startsWith(`${from}/`))
  if (files.length === 0) throw new Error(`COPY ${from}: nothing of that name is sent`)
  for (const file of files) {
    const target = join(to, file === from || from === '.' ? file : file.slice(from.length + 1))
    await mkdir(dirname(target), { recursive: true })
    await copyFile(join(context, file), target)
  }
}
