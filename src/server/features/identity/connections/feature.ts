import type { Feature } from '#server/feature.ts'
import { readConnectionsOf } from './list-connections.ts'

export const connectionsFeature: Feature = {
  exportedData: { connections: (tx, userId) => readConnectionsOf(tx, userId) },
}
