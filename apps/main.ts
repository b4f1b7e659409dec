import { apps, buildOf } from './built.ts'
import { versionOf } from './sources.ts'

// Builds each app that is not built, or not from these sources: `npm run build:apps`, and `npm start` before the gateway.
// Whoever builds them, a tester too, gets the same: Vite would add where each element of a view stands in the sources.
process.env.NODE_ENV = 'production'
for (const app of apps) {
  const version = await versionOf(app)
  if ((await buildOf(app))?.version === version) continue
  // Vite is read only where there is something to build.
  const { buildApp } = await import('./build.ts')
  await buildApp(app, version)
}
