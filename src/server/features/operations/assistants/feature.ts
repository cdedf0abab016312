import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/product-calls.ts'
import { adminAssistantsCall } from '#shared/contracts/operations/assistants.ts'
import { mcpRoutes } from './mcp.routes.ts'
import { readAssistantUsage } from './usage.ts'

export const assistantsFeature: Feature = {
  calls: (deps) => [implement(adminAssistantsCall, () => readAssistantUsage(deps))],
  routes: (deps) => [mcpRoutes(deps)],
}
