import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { isStaffSession } from '#server/features/identity/auth/sessions/require-staff-session.ts'
import { downloadClaims, openDownload, sealDownload } from '#server/features/identity/auth/sessions/staff-download.ts'
import type { AppEnv, Caller } from '#server/http/principal.ts'
import { readParts } from '#server/media/parts.ts'
import { adminArchiveLinkCall } from '#shared/contracts/operations/archives.ts'
import { findReadyArchive } from './archives.ts'

type DownloadDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'store'>

const purpose = 'archive download'
const link = { purpose, schema: z.object({ id: z.uuid(), ...downloadClaims }), roles: adminArchiveLinkCall.roles }

/**
 * A link that works without a bearer token. It is sealed and ends with the owner's session or role.
 * @throws AppError not_found
 */
export async function createArchiveLink(deps: DownloadDeps, who: Caller, id: string): Promise<{ url: string }> {
  await findReadyArchive(deps, id)
  const { config, clock, database } = deps
  await recordAdminEvent(database.db, who, { event: 'archive_downloaded', now: clock() })
  return { url: `${config.publicUrl}/archives/${sealDownload(deps, purpose, { id, sessionId: who.sessionId })}` }
}

export const archiveRoutes = (deps: DownloadDeps) =>
  new Hono<AppEnv>().get('/archives/:token', async (c) => {
    const { id, sessionId } = await openDownload(deps, link, c.req.param('token'))
    const archive = await findReadyArchive(deps, id)
    const day = archive.createdAt.toISOString().slice(0, 10)
    c.header('Content-Type', 'application/zip')
    c.header('Content-Length', String(archive.bytes))
    c.header('Content-Disposition', `attachment; filename="archive-${day}.zip"`)
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    return stream(c, async (out) => {
      for await (const chunk of readParts(deps.store, id, archive.parts)) {
        // The announced length isn't reached then, so the browser reports a failed download.
        if (out.aborted || !(await isStaffSession(deps, sessionId, adminArchiveLinkCall.roles))) return
        await out.write(chunk as Uint8Array)
      }
    })
  })
