import { execFileSync } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { Command, runCommand } from '@gatehouse/proto/process/command.ts'
import { packClients } from '../clients/generator/pack.ts'
import manifest from '../package.json' with { type: 'json' }
import { packGatehouse } from './pack.ts'
import { release } from './release.ts'

const root = join(import.meta.dirname, '..')

const command = new Command('npm run release --')
  .description('Check, test, pack and tag this version. Publishes nothing, but prints the commands that do')
  .option('--dry-run', 'make no tag')
  .option('--skip-tests', 'for CI, which has run them')
  .action(async ({ dryRun = false, skipTests = false }: { dryRun?: boolean; skipTests?: boolean }) => {
    try {
      const commands = await release(root, { dryRun, test: async () => void (skipTests || test()), pack })
      console.log(`${dryRun ? 'Without --dry-run these would publish it' : 'Publish it'}:\n${commands.join('\n')}`)
    } catch (error) {
      console.error(`release: ${(error as Error).message}`)
      process.exitCode = 1
    }
  })

function test(): void {
  for (const script of ['test', 'test:slow']) execFileSync('npm', ['run', script], { cwd: root, stdio: 'inherit' })
}

async function pack(folder: string): Promise<string[]> {
  await using staging = await mkdtempDisposable(join(tmpdir(), 'gatehouse-'))
  const gatehouse = await packGatehouse(folder, staging.path)
  await execute('npm', ['pack', '--workspace', '@gatehouse/client', '--pack-destination', folder], { cwd: root })
  await execute('npm', ['run', 'types'], { cwd: root })
  return [gatehouse, join(folder, `gatehouse-client-${manifest.version}.tgz`), ...(await packClients(folder))]
}

await runCommand(command)
