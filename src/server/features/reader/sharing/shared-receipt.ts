import { and, eq, gt } from 'drizzle-orm'
import { html } from 'hono/html'
import { shareLinks, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { isBanned } from '#server/features/identity/auth/sessions/session-row.ts'
import { readReceipt } from '#server/features/reader/receipts/receipts.ts'
import { type Markup, pageLayout } from '#server/pages/page-layout.ts'
import { formatMonth } from '#shared/domain/publishing-calendar.ts'
import {
  describeMoney,
  describeTasks,
  describeTime,
  describeTotals,
  receiptRules,
} from '#shared/domain/store-receipt.ts'
import { hashShareToken, readBusinessName } from './share-links.ts'
import { sharedPageFiles } from './shared-item-page.ts'

/** The receipt behind a link, as it is now; null if the link is for something else, ended, or its member's plan has. */
export async function findSharedReceipt(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  token: string,
): Promise<Markup | null> {
  const { db } = deps.database
  const now = deps.clock()
  const [row] = await db
    .select({ link: shareLinks, banned_until: users.bannedUntil })
    .from(shareLinks)
    .innerJoin(users, eq(users.id, shareLinks.userId))
    .where(
      and(
        eq(shareLinks.tokenHash, hashShareToken(token)),
        eq(shareLinks.kind, 'receipt'),
        gt(shareLinks.expiresAt, now),
      ),
    )
  if (!row || isBanned(row, now)) return null
  const { userId, itemId: month, showsBusiness } = row.link
  if (!hasAccess(deps.config, await readAccessFacts(db, userId), now)) return null
  const receipt = await readReceipt(deps, db, userId, month)
  const from = (showsBusiness && (await readBusinessName(db, userId))) || 'A member'
  const { name } = deps.config.settings.publication
  const title = `Receipt of ${formatMonth(month)}`
  return pageLayout({
    title,
    shape: 'wide',
    config: deps.config,
    stylesheet: sharedPageFiles.styles,
    main: html`<article class="shared">
      <p class="from"><strong>${from}</strong> shared what each store got out of ${name} with you.</p>
      <h1>${title}</h1>
      ${describeTotals(receipt).map(([sum, figure, source]) => html`<p><strong>${sum}: ${figure}</strong><br>${source}</p>`)}
      ${receipt.rows.map(
        (store) => html`<section>
          <h2>${store.name ?? 'The business'}</h2>
          <ul>
            <li>${describeTime(store, receipt.currency)}</li>
            ${store.money.map((entry) => html`<li>${describeMoney(entry, receipt.currency)}</li>`)}
            <li>${describeTasks(store)}</li>
          </ul></section>`,
      )}
      <p class="about">${receiptRules}</p>
    </article>`,
  })
}
