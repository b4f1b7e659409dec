import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { boundToParent } from './parent-bound.ts'
import type { User } from './user.ts'

/** A tool of the system failed; the message is its output. */
export class ToolError extends Error {
  override name = 'ToolError'
}

/** Runs a tool of the system and returns its output, in English. It dies with this process. Throws {@link ToolError}. */
export async function execute(
  tool: string,
  toolArgs: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; user?: User | undefined } = {},
): Promise<string> {
  const { command, args } = boundToParent(tool, toolArgs, options.user)
  const { cwd, env } = options
  try {
    const { stdout } = await promisify(execFile)(command, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env, LC_ALL: 'C' },
      maxBuffer: 64 * 1024 ** 2,
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string }
    throw new ToolError(`${stdout}${stderr}`.trim() || message)
  }
}
