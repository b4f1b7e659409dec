#!/usr/bin/env node

/** The oldest Node that runs Gatehouse. An older one runs this file too, to say so: the others are imported afterwards. */
const NODE = 26

if (Number.parseInt(process.versions.node, 10) < NODE) {
  console.error(
    `gatehouse: this is Node ${process.versions.node}, but Gatehouse needs Node ${NODE}. "npx gatehouse" runs the Node that was installed with it`,
  )
  process.exitCode = 1
} else {
  const { gatehouse } = await import('./gatehouse.ts')
  const { ProcessTerminal } = await import('./terminal.ts')
  process.exitCode = await gatehouse(process.argv.slice(2), new ProcessTerminal())
}
