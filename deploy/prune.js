import {
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'

// Runs after `npm install`, by any Node from 20 on. Takes out of node_modules what nothing here reads: always the headers of Node, which are for
// native modules, and the weights and formats of fonts that badges do not use; without devDependencies also all that only developers read.

const modules = new URL('../node_modules/', import.meta.url)
/** Exists once types are gone, which only a new installation brings back. */
const marker = new URL('.without-types', modules)

/** What nothing here reads of a package, or of all whose names begin so. */
const UNREAD = {
  'node/node_modules/': /^[^/]+\/(include|share|CHANGELOG\.md)(\/|$)/,
  '@embedpdf/': /^[^/]+\/fonts\/(?!.*-(Regular|Bold)\.otf$)/,
  '@fontsource/':
    /\.s?css$|^[^/]+\/files\/(?!.*-(400|700)-normal\.woff$)|^noto-emoji\/files\/(?!noto-emoji-emoji-400)|^noto-sans-(\w+)\/files\/(?!noto-sans-\2-\2-)/,
  '@opentelemetry/': /\.map$/,
}

/** What only developers read, in any package. */
const FOR_DEVELOPERS = [
  /\.(map|flow|tsx?|[cm]ts|md|markdown)$/i,
  /(^|\/)(tests?|__tests__|docs|examples?|benchmarks?|\.yarn|\.github)\//,
]

/** Builds of a package for browsers and bundlers, and parts that nothing here imports. */
const OTHER_BUILDS = {
  '@mongodb-js/saslprep/': /browser/,
  '@opentelemetry/semantic-conventions/': /experimental|incubating/,
  '@zip.js/zip.js/': /^(index.*\.(cjs|min\.js)|dist\/zip(-(core|fs|legacy|native|external)\b.*)?(\.min)?\.js)$/,
  '@scalar/json-magic/node_modules/undici/': /^(?!package\.json$|LICENSE)/,
  'brotli/': /^build\//,
  'bson/': /\.(bundle|rn)\./,
  // One table of Unicode is read.
  'cldr-core/': /^(?!package\.json$|LICENSE|supplemental\/windowsZones\.json$)/,
  'csv-stringify/': /^dist\/(iife|umd)\//,
  'esbuild/': /./,
  '@esbuild/': /./,
  'fflate/': /^umd\/|browser/,
  'fontkit/': /^src\/|browser/,
  'harfbuzzjs/': /subset/,
  'lru-cache/': /\/(browser|react-native)\//,
  'node-forge/': /^dist\//,
  'pako/': /^dist\//,
  'passkit-generator/node_modules/joi/': /browser/,
  'pdfkit/': /^js\/pdfkit\.(browser|standalone|.*old)/,
  'pngjs/': /^browser/,
  'qrcode/node_modules/pngjs/': /^browser/,
  'zod/': /^(?!package\.json$|LICENSE)/,
  'zxing-wasm/': /^dist\/(cjs|iife|miniprogram|full|writer|es\/(full|writer))\//,
}

/** The files of a folder of node_modules, by their paths from there; none where it is not there. Links lead to our own sources. */
function filesOf(folder, below = '') {
  let entries
  try {
    entries = readdirSync(new URL(`${folder}${below}`, modules), { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return filesOf(folder, `${below}${entry.name}/`)
    return entry.isFile() ? [`${below}${entry.name}`] : []
  })
}

function removeFrom(folder, unread) {
  for (const file of filesOf(folder)) if (unread.test(file)) removeFile(new URL(`${folder}${file}`, modules))
}

/** Removes a file, and the folders that are empty without it. */
function removeFile(file) {
  rmSync(file)
  for (let folder = new URL('.', file); readdirSync(folder).length === 0; folder = new URL('..', folder))
    rmdirSync(folder)
}

/** Takes symbols and debugging information, which processors do not read, off the end of a program of Linux. */
function strip(program) {
  if (process.platform !== 'linux' || !existsSync(program)) return
  // A copy, since what runs cannot be written to, and may have another name besides.
  const copy = new URL(`${program}.stripped`)
  copyFileSync(program, copy)
  const file = openSync(copy, 'r+')
  const read = (at, length) => {
    const bytes = Buffer.alloc(length)
    readSync(file, bytes, 0, length, at)
    return bytes
  }
  const header = read(0, 64)
  const [segments, size, count] = [Number(header.readBigUInt64LE(32)), header.readUInt16LE(54), header.readUInt16LE(56)]
  const ends = Array.from({ length: count }, (_, index) => {
    const segment = read(segments + index * size, size)
    return Number(segment.readBigUInt64LE(8) + segment.readBigUInt64LE(32))
  })
  ftruncateSync(file, Math.max(...ends))
  // No table of sections, whose names are gone.
  writeSync(file, Buffer.alloc(8), 0, 8, 40)
  writeSync(file, Buffer.alloc(6), 0, 6, 58)
  closeSync(file)
  renameSync(copy, program)
}

for (const [folder, unread] of Object.entries(UNREAD)) removeFrom(folder, unread)
if (process.env.npm_config_omit?.split(/\s+/).includes('dev')) {
  for (const [folder, unread] of Object.entries(OTHER_BUILDS)) removeFrom(folder, unread)
  for (const unread of FOR_DEVELOPERS) removeFrom('', unread)
  const node = new URL('node/bin/node', modules)
  strip(node)
  // The same program, by a second name.
  removeFrom('node/node_modules/', /^[^/]+\/bin\//)
  writeFileSync(marker, '')
} else if (existsSync(marker)) {
  process.stderr.write('node_modules has no types, since it was installed without devDependencies: run `npm ci`\n')
  process.exitCode = 1
}
