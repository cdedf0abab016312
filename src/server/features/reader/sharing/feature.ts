import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { endShareLinkCall, shareItemCall, shareLinksCall } from '#shared/contracts/reader/sharing.ts'
import { createShareLink, endShareLink, readShareLinks } from './share-links.ts'
import { sharingRoutes } from './sharing.routes.ts'

const sharingCalls = (deps: Deps): Implementation[] => [
  implement(shareItemCall, (input, who) => createShareLink(deps, who.userId, input)),
  implement(shareLinksCall, (_input, who) => readShareLinks(deps, who.userId)),
  implement(endShareLinkCall, ({ linkId }, who) => endShareLink(deps, who.userId, linkId)),
]

export const sharingFeature: Feature = {
  calls: sharingCalls,
  routes: (deps) => [sharingRoutes(deps)],
}
