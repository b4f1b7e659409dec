import { readFile } from 'node:fs/promises'
import { marked } from 'marked'
import type { Plugin } from 'vite'

const GUIDE = /\/docs\/guides\/organizers\/[\w-]+\.md$/
const PICTURE = /<img src="(\.?\/?[\w-]+\.png)"/g
/** A link to another guide, which the console shows under its name. */
const OTHER = /<a href="([\w-]+)\.md(?:#[\w-]+)?"/g
/** A link to another page of the docs, which the console does not have. */
const ELSEWHERE = /<a href="\.\.[^"]*">(.*?)<\/a>/g

/** Lets apps import guides, which are Markdown, as the HTML that they become; pictures are files of the build. */
export function guidesAsHtml(): Plugin {
  return {
    name: 'guides',
    async load(id) {
      if (!GUIDE.test(id)) return null
      const html = await marked.parse(await readFile(id, 'utf8'))
      const pictures: string[] = []
      const text = html
        .replace(OTHER, '<a href="#/guides/$1"')
        .replace(ELSEWHERE, '$1')
        .replace(PICTURE, (_, path: string) => {
          pictures.push(path)
          return `<img loading="lazy" src="__PICTURE_${pictures.length - 1}__"`
        })
      const imports = pictures.map((path, index) => `import p${index} from ${JSON.stringify(`./${path}`)}`)
      const filled = pictures.reduce(
        (code, _, index) => code.replace(`__PICTURE_${index}__`, `" + p${index} + "`),
        JSON.stringify(text),
      )
      return [...imports, `export default ${filled}`].join('\n')
    },
  }
}
