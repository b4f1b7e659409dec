import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'

/** How a release is made. */
export interface ReleaseOptions {
  /** Makes no tag. */
  dryRun: boolean
  /** Rejects if a test fails. */
  test(): Promise<void>
  /** Makes the packages in a folder, and returns their paths. */
  pack(folder: string): Promise<string[]>
}

/**
 * Checks, tests and packs the version of a repository into its folder `dist`, writes the release notes there, and tags the commit. Returns the
 * commands that publish it all.
 */
export async function release(repository: string, { dryRun, test, pack }: ReleaseOptions): Promise<string[]> {
  const git = (...args: string[]) => execute('git', args, { cwd: repository })
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  const tag = `v${version}`
  const notes = notesOf(await readFile(join(repository, 'CHANGELOG.md'), 'utf8'), version)
  const problems = [
    (await git('status', '--porcelain')) && 'the working tree has changes',
    (await git('branch', '--show-current')).trim() !== 'main' && 'the branch is not main',
    notes ||
      `CHANGELOG.md has no section "## ${version} - ${new Date().toISOString().slice(0, 10)}", with the date of the release`,
    (await git('tag', '--list', tag)) && `${tag} is released: npm version sets the next version`,
  ].filter((each) => each && each !== notes)
  if (!notes || problems.length > 0) throw new Error(problems.join('; '))
  await test()
  const folder = join(repository, 'dist')
  await mkdir(folder, { recursive: true })
  const packages = await pack(folder)
  const notesFile = join(folder, `notes-${version}.md`)
  await writeFile(notesFile, notes)
  // Lines that begin with # are headings.
  if (!dryRun)
    await git('tag', '--annotate', '--cleanup=whitespace', '--message', `Gatehouse ${version}\n\n${notes}`, tag)
  const isPrerelease = version.includes('-')
  return [
    `git push origin main ${tag}`,
    ...packages
      .filter((path) => path.endsWith('.tgz'))
      .map((path) => `npm publish ${path} --access public --tag ${isPrerelease ? 'next' : 'latest'}`),
    `gh release create ${tag} ${packages.join(' ')} --notes-file ${notesFile}${isPrerelease ? ' --prerelease' : ''}`,
  ]
}

/** The section of a version in a changelog, without its heading; undefined if there is none with a date. */
function notesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find((each) => /^## (.*) - \d{4}-\d\d-\d\d$/m.exec(each)?.[1] === version)
  return section?.slice(section.indexOf('\n')).trim()
}
