import { contentItems } from '#server/db/schema/index.ts'
import type { ItemMark } from '#shared/contracts/reader/item-marks.ts'
import { type ItemRef, itemPath } from '#shared/domain/content-items.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'

export type Ask = ReturnType<typeof askAs>

/** Makes calls as a reader and expects success. */
export const askAs =
  (server: Pick<TestApp, 'app'>, { token }: Pick<TestUser, 'token'>) =>
  async <Body = Record<string, unknown>>(name: string, body: unknown = {}): Promise<Body> => {
    const answer = await call(server, name, body, token)
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Body
  }

/** Items that were published, without their content. */
export async function addItems(server: Pick<TestApp, 'database'>, items: readonly (ItemRef & { parentId?: string })[]) {
  const at = new Date('2026-01-05T08:00:00Z')
  const rows = items.map((item) => ({
    ...item,
    title: `Title of ${item.id}`,
    path: itemPath(item, item.parentId),
    publishedAt: at,
    changedAt: at,
  }))
  for (let start = 0; start < rows.length; start += 1_000) {
    await server.database.db.insert(contentItems).values(rows.slice(start, start + 1_000))
  }
}

export const instant = (minute: number) => new Date(Date.UTC(2026, 10, 2, 8, minute)).toISOString()

export const marksOf = async (ask: Ask, scope: object): Promise<Pick<ItemMark, 'id' | 'saved' | 'readAt'>[]> =>
  (await ask<{ items: ItemMark[] }>('item-marks', { scope })).items
