import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'clients/typescript')

/** Builds the TypeScript client as it is published, and makes a folder whose programs find it under its name. Returns the folder. */
export async function installClient(): Promise<string> {
  // An earlier build must not be needed.
  await rm(join(source, 'dist'), { recursive: true, force: true })
  await promisify(execFile)('npm', ['run', 'prepack'], { cwd: source })
  const folder = await mkdtemp(join(tmpdir(), 'client-'))
  await mkdir(join(folder, 'node_modules/@gatehouse'), { recursive: true })
  await symlink(source, join(folder, 'node_modules/@gatehouse/client'))
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'esnext', types: ['node'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return folder
}
