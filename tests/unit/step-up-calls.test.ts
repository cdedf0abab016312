import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyCall } from '#shared/contracts/define-call.ts'

const files = globSync([
  'src/shared/contracts/{billing,identity}/*.ts',
  'src/shared/contracts/operations/{admin-users,admin-support,api-keys,archives,backups,bulk-actions}.ts',
  'src/shared/contracts/operations/{member*,outgoing-webhooks,personal-email}.ts',
])

async function callsOfMoneyAccessAndPeople(): Promise<AnyCall[]> {
  const modules = await Promise.all(files.map((file) => import(new URL(`../../${file}`, import.meta.url).href)))
  return modules
    .flatMap((module) => Object.values(module as object))
    .filter((value): value is AnyCall => value !== null && typeof value === 'object' && 'audience' in value)
    .filter(({ audience }) => audience !== 'public')
}

/** Calls for members or staff that only read. Those that viewers may make aren't listed. */
const reads = `deletion-preview list-sessions security-overview admin-audit-log admin-user admin-staff
  admin-entitlement admin-other-subscriptions admin-cancellations admin-withdrawals admin-retention-offers billing-overview offer-to-stay
  own-price preview-switch trial-offer admin-gift-link-uses admin-member-billing admin-preview-member-switch
  admin-price-move own-referrals own-purchases admin-purchases admin-stripe-adoption check-subscription preview-seats team admin-users
  admin-user-support admin-api-keys admin-archives admin-backups admin-bulk-actions admin-preview-bulk-action
  admin-check-members admin-member-import admin-member-import-errors admin-member-imports admin-member-newsletters
  admin-member admin-member-notes admin-member-sessions admin-member-timeline admin-member-tags admin-count-members
  admin-members admin-webhook-deliveries admin-webhooks admin-personal-emails
  admin-preview-personal-email connection-request list-connections
  admin-check-merge invoice-details`.split(/\s+/)

const withoutStepUp: Record<string, string> = {
  ...Object.fromEntries(reads.map((name) => [name, 'only reads'])),
  // The function asks itself, because it depends on what it finds.
  'delete-account': 'asks unless the caller is anonymous and has nothing to confirm with',
  'export-data': 'asks unless the caller is anonymous and has nothing to confirm with',
  'create-checkout': 'asks if it opens Stripe’s portal instead of a checkout',
  'customer-portal': 'asks after it knows that there is a customer',
  'update-card': 'asks after it knows that there is a customer',
  'admin-start-bulk-action': 'asks for complimentary access and deletion',
  'admin-undo-bulk-action': 'asks for complimentary access',
  // These need something that only the right person has.
  'confirm-identity': 'is the step-up',
  'use-backup-code': 'is a second factor',
  'accept-staff-invitation': 'needs the link from an email',
  'join-team': 'needs the link or code from an email',
  'request-seats': 'asks the owner, who decides with a step-up',
  'buy-access': 'opens a checkout, where the caller pays',
  'buy-item': 'opens a checkout, where the caller pays',
  'use-gift-link': 'needs the link, and gives the caller access',
  'claim-gift': 'needs the link, and gives the caller access',
  'accept-referral': 'needs the link, and gives both sides a month',
  'complete-checkout': 'stores what was paid at Stripe',
  'answer-connection-request': 'needs the request that the assistant brought; its rights end with the password',
  // These take something away or give nothing.
  'end-connection': 'ends access of an assistant',
  'end-session': 'ends access of the caller',
  'end-device-trust': 'ends access of the caller',
  'end-view-as': 'ends access of the caller',
  'admin-export-log': 'shows what the owner reads on the page',
  'admin-sync-customer': 'stores what is true at Stripe',
  'admin-order-plans': 'changes the order alone',
  'admin-retire-gift-link': 'ends a link',
  'admin-end-offer': 'ends an offer',
  'admin-cancel-stripe-adoption': 'stops a run',
  'admin-list-stripe-subscriptions': 'starts a run that only reads',
  'admin-create-archive': 'builds a file whose link needs step-up',
  'admin-delete-archive': 'deletes a file that can be built again',
  'admin-cancel-members-import': 'stops a run',
  'admin-upload-members': 'stores a file whose import needs step-up',
  'admin-set-member-tags': 'gives members labels for staff',
  'admin-add-member-note': 'writes a note for staff',
  'admin-edit-member-note': 'writes a note for staff',
  'admin-delete-member-note': 'deletes a note for staff',
  'admin-replay-webhook': 'repeats an event to an address that step-up confirmed',
}

test('a call that changes money, access or people declares a step-up, or is here with the reason', async () => {
  const calls = await callsOfMoneyAccessAndPeople()
  expect(calls.length).toBeGreaterThan(120)
  const undeclared = calls.filter(({ stepUp, roles }) => !stepUp && !roles?.includes('viewer'))
  expect(undeclared.map(({ name }) => name).filter((name) => !(name in withoutStepUp))).toEqual([])
  const names = undeclared.map(({ name }) => name)
  expect(Object.keys(withoutStepUp).filter((name) => !names.includes(name))).toEqual([])
})
