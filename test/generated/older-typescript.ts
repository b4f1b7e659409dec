import { registerHooks } from 'node:module'

// Loaded before @hey-api/openapi-ts, which needs the programming interface that TypeScript has up to version 6: npm finds that of the repository
// new enough for it.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: import.meta.url } : context),
})
