import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'

const NAMES = 'xmlns="urn:main" xmlns:r="urn:relationships"'

/** A zip archive of texts by their names. */
export async function archiveOf(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(text))
  return writer.close()
}

/** A workbook of Excel whose sheets have these rows, each as its XML. `formats` are the formats of numbers by style, from 1. */
export function xlsxOf(sheets: Readonly<Record<string, string>>, formats: readonly string[] = []): Promise<Uint8Array> {
  const entries = Object.entries(sheets)
  const ids = entries.map((_, index) => index + 1)
  return archiveOf({
    'xl/workbook.xml': `<workbook ${NAMES}><sheets>${entries.map(([name], index) => `<sheet name="${name}" r:id="r${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${ids.map((id) => `<Relationship Id="r${id}" Target="worksheets/sheet${id}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats.map((format, index) => `<numFmt numFmtId="${200 + index}" formatCode="${format}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      entries.map(([, rows], index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet ${NAMES}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  })
}

/** A row of texts in a workbook of Excel. */
export function textRow(...texts: string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
}

/** An OpenDocument spreadsheet with these tables, each as its XML. */
export function odsOf(tables: string): Promise<Uint8Array> {
  return archiveOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<o:document-content xmlns:o="o" xmlns:t="t" xmlns:x="x"><o:body><o:spreadsheet>${tables}</o:spreadsheet></o:body></o:document-content>`,
  })
}
