import { expect, test } from 'vitest'
import { Drawing, widthOf } from '../src/signing/drawing.ts'

const at = (x: number, y: number, width = 2) => ({ x, y, width })

test('a drawing is the lines between the places of the pen, in the numbers of the API', () => {
  const drawing = new Drawing(300, 150.25)
  drawing.lower(at(1, 2))
  expect(drawing.move(at(3.06, -4, 3))).toEqual({ x1: '1', y1: '2', x2: '3.1', y2: '-4', 'stroke-width': '3' })
  expect(drawing.move(at(3.2, -4.1))).toBeUndefined()
  drawing.move(at(10, 10))
  expect(drawing.lift()).toBeUndefined()
  expect(drawing.move(at(90, 90))).toBeUndefined()
  expect(drawing.points).toMatchObject({ width: '300', height: '150.3', lines: [{}, { x1: '3.1', x2: '10' }] })
})

test('a pen that is not moved leaves a dot', () => {
  const drawing = new Drawing(300, 150)
  drawing.lower(at(5, 6))
  expect(drawing.lift()).toEqual({ x1: '5', y1: '6', x2: '5', y2: '6', 'stroke-width': '2' })
})

test('nothing is shown that the API would not take: the drawing has at most 5,000 lines', () => {
  const drawing = new Drawing(300, 150)
  drawing.lower(at(0, 0))
  for (let index = 1; index <= 5_000; index++) expect(drawing.move(at(index % 2 ? 9 : 0, 0))).toBeDefined()
  expect(drawing.move(at(50, 50))).toBeUndefined()
  expect(drawing.points.lines).toHaveLength(5_000)
})

test('a pen that is pressed harder draws wider; a finger and a mouse do not', () => {
  expect(widthOf({ pointerType: 'pen', pressure: 1 })).toBeGreaterThan(widthOf({ pointerType: 'pen', pressure: 0.2 }))
  expect(widthOf({ pointerType: 'touch', pressure: 1 })).toBe(widthOf({ pointerType: 'mouse', pressure: 0.5 }))
})
