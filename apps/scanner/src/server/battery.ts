/** What some browsers report about the battery. */
interface WithBattery {
  getBattery?(): Promise<{ level: number }>
}

/** How full the battery is, in percent; null where the browser does not tell. */
export async function batteryLevel(): Promise<number | null> {
  const battery = await (navigator as WithBattery).getBattery?.().catch(() => undefined)
  return battery ? Math.round(battery.level * 100) : null
}
