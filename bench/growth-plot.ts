import type { Growth, GrowthRow } from './growth.ts'

const WIDTH = 900
const HEIGHT = 520
const FRAME = { left: 70, right: 640, top: 78, bottom: 450 }
const LABEL_HEIGHT = 17
/** Distinguishable for colour-blind people too (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#7f7f7f', '#8c564b']

/** Draws the median latency of each line over the number of guests, both on logarithmic axes, as SVG. */
export function plotGrowth({ sizes, lines, rate }: Growth): string {
  const drawn = lines.filter(({ points }) => points.some(({ p50 }) => p50 > 0))
  const latencies = drawn.flatMap(({ points }) => points.map(({ p50 }) => p50)).filter((p50) => p50 > 0)
  const decades = range(Math.floor(Math.log10(Math.min(...latencies))), Math.ceil(Math.log10(Math.max(...latencies))))
  const x = scale(Math.log10(Math.min(...sizes)), Math.log10(Math.max(...sizes)), FRAME.left + 20, FRAME.right - 20)
  const y = scale(decades[0] ?? 0, decades.at(-1) ?? 1, FRAME.bottom, FRAME.top)
  const xOf = (guests: number): number => x(Math.log10(guests))
  const yOf = (p50: number): number => y(Math.log10(p50))

  const grid = [
    ...decades.flatMap((decade) => [
      stroke(FRAME.left, y(decade), FRAME.right, y(decade), '#ddd'),
      text(FRAME.left - 8, y(decade) + 4, plain(10 ** decade), 'end'),
    ]),
    ...sizes.flatMap((size) => [
      stroke(xOf(size), FRAME.top, xOf(size), FRAME.bottom, '#eee'),
      text(xOf(size), FRAME.bottom + 20, size.toLocaleString('en'), 'middle'),
    ]),
  ]
  const ends = spread(drawn.map((line) => yOf(latest(line))))
  const curves = drawn.flatMap((line, index) => {
    const colour = COLOURS[index % COLOURS.length] as string
    const points = line.points.filter(({ p50 }) => p50 > 0)
    const path = points.map(({ guests, p50 }) => `${round(xOf(guests))},${round(yOf(p50))}`).join(' ')
    const end = ends[index] ?? 0
    const last = points.at(-1)
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"${line.door ? '' : ' stroke-dasharray="6 4"'}/>`,
      ...points.map(
        ({ guests, p50 }) => `<circle cx="${round(xOf(guests))}" cy="${round(yOf(p50))}" r="3.5" fill="${colour}"/>`,
      ),
      stroke(xOf(last?.guests ?? 1) + 5, yOf(latest(line)), FRAME.right + 4, end, '#bbb'),
      text(FRAME.right + 8, end + 4, `${line.name}: ${growthOf(line)}`, 'start', colour),
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    '<title>Median latency over the size of an event</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${FRAME.left}" y="28" font-size="17" font-weight="bold">Median latency by size of the event</text>`,
    text(
      FRAME.left,
      50,
      `Three check-ins for each guest. “check-in”: ${rate} a second; “guest not seen”: a few a second; all others: one after another.`,
    ),
    text(
      FRAME.left,
      66,
      'Right: the median of the largest event / that of the smallest. Dashed: no door waits for it.',
    ),
    ...grid,
    stroke(FRAME.left, FRAME.top, FRAME.left, FRAME.bottom, '#444'),
    stroke(FRAME.left, FRAME.bottom, FRAME.right, FRAME.bottom, '#444'),
    text((FRAME.left + FRAME.right) / 2, FRAME.bottom + 46, 'guests in the event', 'middle'),
    `<text transform="translate(22 ${(FRAME.top + FRAME.bottom) / 2}) rotate(-90)" text-anchor="middle">milliseconds (p50)</text>`,
    ...curves,
    '</svg>',
    '',
  ].join('\n')
}

function latest({ points }: GrowthRow): number {
  return points.findLast(({ p50 }) => p50 > 0)?.p50 ?? 1
}

function growthOf(line: GrowthRow): string {
  const [first] = line.points
  return first && first.p50 > 0 ? `× ${(latest(line) / first.p50).toFixed(2)}` : 'failed'
}

function scale(from: number, to: number, low: number, high: number): (value: number) => number {
  return (value) => low + ((value - from) / (to - from || 1)) * (high - low)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Moves labels apart so that none covers another; their order stays. */
function spread(heights: number[]): number[] {
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height)
  const placed: number[] = []
  let lowest = Number.NEGATIVE_INFINITY
  for (const { height, index } of order) {
    lowest = Math.max(height, lowest + LABEL_HEIGHT)
    placed[index] = lowest
  }
  // Labels that end up below the frame push the others up again.
  let highest = FRAME.bottom
  for (const { index } of order.reverse()) {
    placed[index] = Math.min(placed[index] as number, highest)
    highest = (placed[index] as number) - LABEL_HEIGHT
  }
  return placed
}

function stroke(x1: number, y1: number, x2: number, y2: number, colour: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${colour}"/>`
}

function text(x: number, y: number, content: string, anchor = 'start', colour = '#222'): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${colour}">${content}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function plain(value: number): string {
  return String(Number(value.toPrecision(2)))
}
