import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/product-calls.ts'
import { departureCall, letMemberGoCall } from '#shared/contracts/reader/departures.ts'
import { letMemberGo, readDeparture } from './let-member-go.ts'

export const departuresFeature: Feature = {
  calls: (deps) => [
    implement(departureCall, ({ userId }, who) => readDeparture(deps, who, userId)),
    implement(letMemberGoCall, (input, who) => letMemberGo(deps, who, input)),
  ],
}
