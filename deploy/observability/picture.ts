import { parseArgs } from 'node:util'
import { type Panel, rows } from './panels.ts'

const USAGE = `usage: node deploy/observability/picture.ts PROMETHEUS_URL [--minutes 30] [--until TIME] > dashboard.svg

Draws the dashboard over the minutes until now, or until a time in ISO 8601, from the metrics which a Prometheus has collected, for a report or where there is no Grafana.`

const COLUMNS = 3
const PANEL = { width: 400, height: 210 }
const PLOT = { left: 56, top: 34, width: 330, height: 112 }
const LEGEND = { lines: 3, height: 15 }
const POINTS = 120
/** The legend has room for this many lines: the highest are drawn. */
const MOST_SERIES = 2 * LEGEND.lines
/** Characters of an entry of the legend where it has two columns. */
const MAX_LEGEND = 28
/** Distinguishable for colour-blind people too (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']

interface Series {
  legend: string
  /** Times in seconds and values. */
  points: [time: number, value: number][]
}

interface Range {
  start: number
  end: number
}

interface RangeAnswer {
  data: { result: { metric: Record<string, string>; values: [number, string][] }[] }
}

/**
 * The series of a graph of the dashboard, as a Prometheus knows them: those of each query whose labels differ.
 * Throws an `Error` that holds the answer where Prometheus refuses a query.
 */
export async function seriesOf(prometheus: string, { queries }: Panel, { start, end }: Range): Promise<Series[]> {
  const answers = Object.entries(queries).map(async ([legend, query]) => {
    const search = new URLSearchParams({
      query: query.replaceAll('$__rate_interval', '1m'),
      start: String(start),
      end: String(end),
      step: String(Math.max((end - start) / POINTS, 1)),
    })
    const response = await fetch(`${prometheus}/api/v1/query_range?${search}`, { signal: AbortSignal.timeout(30_000) })
    if (!response.ok) throw new Error(`Prometheus refuses ${query}: ${await response.text()}`)
    const { data } = (await response.json()) as RangeAnswer
    return data.result.map(({ metric, values }) => ({
      legend: legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? ''),
      points: values.map(([time, value]): [number, number] => [time, Number(value)]).filter(([, value]) => value >= 0),
    }))
  })
  return (await Promise.all(answers)).flat().filter(({ points }) => points.length > 0)
}

/** The dashboard as SVG. */
async function picture(prometheus: string, range: Range): Promise<string> {
  const parts: string[] = []
  let y = 44
  for (const [title, panels] of Object.entries(rows)) {
    parts.push(`<text x="12" y="${y + 22}" font-size="16" font-weight="bold">${escaped(title)}</text>`)
    y += 34
    const series = await Promise.all(panels.map((panel) => seriesOf(prometheus, panel, range)))
    panels.forEach((panel, index) => {
      const [x, top] = [(index % COLUMNS) * PANEL.width, y + Math.floor(index / COLUMNS) * PANEL.height]
      parts.push(`<g transform="translate(${x} ${top})">`, ...drawn(panel, series[index] ?? [], range), '</g>')
    })
    y += Math.ceil(panels.length / COLUMNS) * PANEL.height
  }
  const width = COLUMNS * PANEL.width
  const [from, to] = [range.start, range.end].map((time) => new Date(1000 * time).toISOString().slice(0, 16))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="11" fill="#222">`,
    `<title>Gatehouse</title><rect width="${width}" height="${y}" fill="#fff"/>`,
    `<text x="12" y="30" font-size="20" font-weight="bold">Gatehouse, ${from} to ${to} UTC</text>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

/** A graph with its title, highest value, lines and legend. */
function drawn({ title, unit, bound }: Panel, all: Series[], { start, end }: Range): string[] {
  const heights = new Map(all.map((each) => [each, Math.max(...each.points.map(([, value]) => value))]))
  const series = all.toSorted((a, b) => (heights.get(b) ?? 0) - (heights.get(a) ?? 0)).slice(0, MOST_SERIES)
  const top = Math.max(...heights.values(), 0) || 1
  const { left, width, height } = PLOT
  const bottom = PLOT.top + height
  const x = (time: number): number => Math.round(left + ((time - start) / (end - start)) * width)
  const y = (value: number): number => Math.round(bottom - (value / top) * height)
  const level = (value: number, colour: string, dashes = ''): string =>
    `<path d="M${left} ${y(value)}h${width}" stroke="${colour}"${dashes}/>`
  return [
    `<text x="12" y="20" font-weight="bold">${escaped(title)}</text>`,
    level(0, '#888'),
    level(top, '#ddd'),
    `<text x="${left - 6}" y="${bottom + 4}" text-anchor="end">0</text>`,
    `<text x="${left - 6}" y="${PLOT.top + 4}" text-anchor="end">${shown(top, unit)}</text>`,
    ...(bound !== undefined && bound < top ? [level(bound, '#c00', ' stroke-dasharray="4 3"')] : []),
    ...(series.length === 0 ? [`<text x="${left + 8}" y="${bottom - 8}" fill="#777">none</text>`] : []),
    ...series.flatMap(({ legend, points }, index) => {
      const colour = COLOURS[index]
      const line = points.map(([time, value]) => `${x(time)},${y(value)}`).join(' ')
      const [column, row] = [Math.floor(index / LEGEND.lines), index % LEGEND.lines]
      const at = `x="${left + (column * width) / 2}" y="${bottom + 18 + row * LEGEND.height}"`
      return [
        `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
        `<text ${at} fill="${colour}">${escaped(series.length > LEGEND.lines ? shortened(legend) : legend)}</text>`,
      ]
    }),
  ]
}

/** A value in a unit of Grafana, as people write it. */
function shown(value: number, unit: string): string {
  const short = (number: number): string => String(Number(number.toPrecision(2)))
  if (unit === 's') return value < 1 ? `${short(1000 * value)} ms` : `${short(value)} s`
  if (unit === 'bytes') return `${Math.round(value / 2 ** 20)} MiB`
  if (unit === 'percentunit') return `${short(100 * value)} %`
  return unit === 'reqps' ? `${short(value)}/s` : short(value)
}

function shortened(legend: string): string {
  return legend.length > MAX_LEGEND ? `${legend.slice(0, MAX_LEGEND - 1)}…` : legend
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { minutes: { type: 'string', default: '30' }, until: { type: 'string' } },
    allowPositionals: true,
  })
  const [prometheus] = positionals
  const minutes = Number(values.minutes)
  const end = (values.until === undefined ? Date.now() : Date.parse(values.until)) / 1000
  if (!prometheus || !URL.canParse(prometheus) || !(minutes > 0) || Number.isNaN(end)) {
    console.error(USAGE)
    process.exit(2)
  }
  process.stdout.write(await picture(prometheus.replace(/\/$/, ''), { start: end - 60 * minutes, end }))
}
