import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'

// Packs the large fonts of badges in their place, for the image. services/badges/badges/font-file.ts unpacks them.
for (const file of globSync('node_modules/@embedpdf/*/fonts/*.otf'))
  writeFileSync(file, zstdCompressSync(readFileSync(file), { params: { [constants.ZSTD_c_compressionLevel]: 19 } }))
