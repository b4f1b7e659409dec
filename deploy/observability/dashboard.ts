import { type Panel, rows } from './panels.ts'

const WIDTH = 12
const HEIGHT = 8
// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own variable
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }

/** The dashboard as Grafana imports it. */
export function dashboard(): object {
  let y = 0
  const panels = Object.entries(rows).flatMap(([title, graphs]) => {
    const row = { type: 'row', title, collapsed: false, gridPos: { x: 0, y: y++, w: 2 * WIDTH, h: 1 }, panels: [] }
    const placed = graphs.map((graph, index) => {
      const gridPos = { x: WIDTH * (index % 2), y: y + HEIGHT * Math.floor(index / 2), w: WIDTH, h: HEIGHT }
      return { ...graphOf(graph), gridPos }
    })
    y += HEIGHT * Math.ceil(graphs.length / 2)
    return [row, ...placed]
  })
  return {
    uid: 'gatehouse',
    title: 'Gatehouse',
    schemaVersion: 41,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [{ type: 'datasource', name: 'datasource', label: 'Prometheus', query: 'prometheus', current: {} }],
    },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  }
}

function graphOf({ title, description, unit, queries, bound }: Panel): object {
  const steps = [{ color: 'green', value: null }, ...(bound === undefined ? [] : [{ color: 'red', value: bound }])]
  return {
    type: 'timeseries',
    title,
    ...(description && { description }),
    datasource: DATASOURCE,
    targets: Object.entries(queries).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        custom: {
          fillOpacity: 10,
          showPoints: 'never',
          thresholdsStyle: { mode: bound === undefined ? 'off' : 'line' },
        },
        thresholds: { mode: 'absolute', steps },
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  }
}
