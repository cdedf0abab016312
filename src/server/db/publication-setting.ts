import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from './database.ts'
import { emailPreferences, publicationSettings } from './schema/index.ts'

/** A setting without history, and the version that an edit of it is based on; version 0 until it is saved. */
export async function readPublicationSetting(db: Db | Tx, name: string): Promise<{ version: number; value: unknown }> {
  const [row] = await db
    .select({ version: publicationSettings.version, value: publicationSettings.value })
    .from(publicationSettings)
    .where(eq(publicationSettings.name, name))
  return row ?? { version: 0, value: null }
}

type Write = { value: unknown; updatedAt: Date; updatedBy: string | null; updatedById: string | null }

/** @returns false if the setting isn't at `version` anymore */
export async function writePublicationSetting(tx: Tx, name: string, version: number, write: Write): Promise<boolean> {
  const row = { name, version: version + 1, ...write }
  const written =
    version === 0
      ? await tx
          .insert(publicationSettings)
          .values(row)
          .onConflictDoNothing()
          .returning({ name: publicationSettings.name })
      : await tx
          .update(publicationSettings)
          .set(row)
          .where(and(eq(publicationSettings.name, name), eq(publicationSettings.version, version)))
          .returning({ name: publicationSettings.name })
  return written.length > 0
}

/** Name of the settings for sending newsletters, which include the publication's time zone. */
export const sendingSettingsName = 'sending'
export const defaultTimeZone = 'America/New_York'

const withTimeZone = z.object({ timeZone: z.string() })

/** The publication's time zone, such as `Europe/Paris`, in which its days begin and end. */
export async function readTimeZone(db: Db | Tx): Promise<string> {
  const { value } = await readPublicationSetting(db, sendingSettingsName)
  return withTimeZone.safeParse(value).data?.timeZone ?? defaultTimeZone
}

/** The time zone that a reader chose, or else the publication's. */
export async function readTimeZoneOf(db: Db | Tx, userId: string): Promise<string> {
  const [chosen] = await db
    .select({ timeZone: emailPreferences.timeZone })
    .from(emailPreferences)
    .where(eq(emailPreferences.userId, userId))
  return chosen?.timeZone ?? (await readTimeZone(db))
}
