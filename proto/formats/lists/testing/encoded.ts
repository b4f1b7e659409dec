const tables = new Map<string, Map<string, number[]>>()

/** A text in an encoding that `TextEncoder` does not write. */
export function encodedIn(encoding: string, text: string): Uint8Array {
  const table = tables.get(encoding) ?? tableOf(encoding)
  tables.set(encoding, table)
  return Uint8Array.from([...text].flatMap((sign) => table.get(sign) ?? unknown(sign, encoding)))
}

function tableOf(encoding: string): Map<string, number[]> {
  const table = new Map<string, number[]>()
  const decoder = new TextDecoder(encoding)
  const add = (bytes: number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes))
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let one = 0; one < 256; one++) add([one])
  if (!encoding.startsWith('windows') && encoding !== 'macintosh') {
    for (let one = 0x81; one < 255; one++) for (let two = 0x40; two < 255; two++) add([one, two])
  }
  return table
}

function unknown(sign: string, encoding: string): never {
  throw new Error(`${encoding} has no ${sign}`)
}
