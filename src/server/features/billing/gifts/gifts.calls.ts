import type { FeatureDeps } from '#server/feature.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as giftLinksContracts from '#shared/contracts/billing/gift-links.ts'
import * as giftsContracts from '#shared/contracts/billing/gifts.ts'
import { buyGift, readGiftOffer } from './buy-gift.ts'
import { claimGift, readReceivedGift } from './claim-gift.ts'
import { saveGiftSettings } from './gift-settings.ts'
import { changeGift, readGiftStatus } from './giver-page.ts'
import { listGifts } from './list-gifts.ts'
import { createGiftLink, listGiftLinks, listGiftLinkUses, retireGiftLink } from './manage-gift-links.ts'
import { refundGift } from './refund-gift.ts'
import { applyGiftLink, readGiftLink } from './use-gift-link.ts'

/** Gifts that are bought and the publisher's gift links: for givers and recipients, who need no account to open their links, and for the owner. */
export function giftsCalls(deps: FeatureDeps): Implementation[] {
  const limits = createIpRateLimits(deps)
  return [
    implement(giftsContracts.giftOfferCall, async () => ({ offer: await readGiftOffer(deps) })),
    implement(giftsContracts.buyGiftCall, async (given, _who, { clientAddress }) => {
      // Each opens a checkout at Stripe.
      await limits.consume('offer', clientAddress)
      return buyGift(deps, given)
    }),
    implement(giftsContracts.giftStatusCall, async ({ token }, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      return readGiftStatus(deps, token)
    }),
    implement(giftsContracts.changeGiftCall, async (given, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      await changeGift(deps, given)
      return {}
    }),
    implement(giftsContracts.receivedGiftCall, async ({ token }, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      return readReceivedGift(deps, token)
    }),
    implement(giftLinksContracts.giftLinkCall, async ({ token }, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      return readGiftLink(deps, token)
    }),
    implement(giftLinksContracts.applyGiftLinkCall, async ({ token }, who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      return applyGiftLink(deps, who, token)
    }),
    implement(giftsContracts.claimGiftCall, (input, who) => claimGift(deps, who, input)),
    implement(giftsContracts.adminGiftsCall, (_input, who) =>
      listGifts(deps, { seesPeople: who.staffRole === 'owner' }),
    ),
    implement(giftsContracts.adminSaveGiftSettingsCall, async ({ settings, version }, who) => {
      await saveGiftSettings(deps, { settings, basedOn: version }, who)
      return {}
    }),
    implement(giftLinksContracts.adminGiftLinksCall, (_input, who) =>
      listGiftLinks(deps, { seesLinks: who.staffRole === 'owner' }),
    ),
    implement(giftLinksContracts.adminGiftLinkUsesCall, ({ id }) => listGiftLinkUses(deps, id)),
    implement(giftLinksContracts.adminCreateGiftLinkCall, (given, who) => createGiftLink(deps, who, given)),
    implement(giftLinksContracts.adminRetireGiftLinkCall, async ({ id }, who) => {
      await retireGiftLink(deps, who, id)
      return {}
    }),
    implement(giftsContracts.adminRefundGiftCall, async ({ id }, who) => {
      await refundGift(deps, who, id)
      return {}
    }),
  ]
}
