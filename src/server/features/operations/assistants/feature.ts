import type { Feature } from '#server/feature.ts'
import { mcpRoutes } from './mcp.routes.ts'

export const assistantsFeature: Feature = {
  routes: (deps) => [mcpRoutes(deps)],
}
