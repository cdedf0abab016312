import type { Feature } from '#server/feature.ts'

/** Commands of the operator, which the server runs outside of requests (run-operator-command.ts). */
export const operatorFeature: Feature = {}
