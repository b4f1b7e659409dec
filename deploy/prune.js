import { readdirSync, rmSync } from 'node:fs'

// Runs after `npm install`, by any Node from 20 on. Takes out of node_modules what nothing here reads, a quarter of an installation without
// devDependencies: the headers of Node, which are for native modules, the weights and formats of fonts which badges do not use, and
// OpenTelemetry's source maps.

const modules = new URL('../node_modules/', import.meta.url)

/** The entries of a folder of node_modules; none where it is not there. */
function entriesOf(folder, options) {
  try {
    return readdirSync(new URL(folder, modules), options)
  } catch {
    return []
  }
}

const platforms = entriesOf('node/node_modules/')
  .filter((name) => name.startsWith('node-'))
  .map((name) => `node/node_modules/${name}/include/`)
const fonts = [
  ...entriesOf('@embedpdf/').map((name) => [`@embedpdf/${name}/fonts/`, /-(Regular|Bold)\.otf$/]),
  ...entriesOf('@fontsource/').map((name) => [`@fontsource/${name}/files/`, /-(400|700)-normal\.woff$/]),
].flatMap(([folder, used]) =>
  entriesOf(folder)
    .filter((name) => !used.test(name))
    .map((name) => `${folder}${name}`),
)
const maps = entriesOf('@opentelemetry/', { recursive: true })
  .filter((name) => name.endsWith('.map'))
  .map((name) => `@opentelemetry/${name}`)
for (const path of [...platforms, ...fonts, ...maps]) rmSync(new URL(path, modules), { recursive: true, force: true })
