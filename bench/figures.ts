/** The median of numbers; 0 if there are none. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** The value below which this share of sorted numbers lies; 0 if there are none. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}

/** The slope of the straight line through points, by least squares. */
export function slope(points: { x: number; y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x0, y0] = [mean(({ x }) => x), mean(({ y }) => y)]
  const across = points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0)
  const along = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0)
  return along === 0 ? 0 : across / along
}

/** Writes a share as a percentage. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
