import { expect, test } from 'vitest'
import { decryptAtRest, encryptAtRest, newKey } from './encryption.ts'

test('what is kept is read with its key alone, unless it was changed', async () => {
  const [key, other] = [await newKey(), await newKey()]
  const text = 'ada 💃'.repeat(1_000)
  const kept = await encryptAtRest(key, text)
  expect(await decryptAtRest(key, kept)).toBe(text)
  expect(new TextDecoder('latin1').decode(kept)).not.toContain('ada')
  await expect(decryptAtRest(other, kept)).rejects.toThrow()
  kept[kept.length - 1] = (kept.at(-1) as number) ^ 1
  await expect(decryptAtRest(key, kept)).rejects.toThrow()
})

test('the same text is kept differently each time', async () => {
  const key = await newKey()
  const [one, other] = [await encryptAtRest(key, 'ada'), await encryptAtRest(key, 'ada')]
  expect(one).not.toEqual(other)
})

test('a key can not be read', async () => {
  const key = await newKey()
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
})
