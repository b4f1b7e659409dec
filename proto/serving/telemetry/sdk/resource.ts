import { randomUUID } from 'node:crypto'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import manifest from '../../../../package.json' with { type: 'json' }

/** What sends telemetry: a process of `gatehouse-<name>`. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` go before it. */
export function resourceOf(name: string): Resource {
  const own = resourceFromAttributes({
    'service.name': `gatehouse-${name}`,
    'service.version': manifest.version,
    'service.instance.id': randomUUID(),
  })
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
}
