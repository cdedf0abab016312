import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'

/* Pages that the publisher adds. */

export const pageAudiences = ['everyone', 'members'] as const
export type PageAudience = (typeof pageAudiences)[number]

const summarySchema = z.object({
  id: z.uuid(),
  /** Without a slash: "faq" is shown at /faq. */
  path: z.string(),
  title: z.string(),
  audience: z.enum(pageAudiences),
  isPublished: z.boolean(),
  version: z.int32(),
  updatedAt: z.iso.datetime(),
  /** Email address or name. */
  updatedBy: z.string().nullable(),
})
export type SitePageSummary = z.infer<typeof summarySchema>

const pageSchema = summarySchema.extend({
  /** Markdown. */
  body: z.string(),
})
export type SitePage = z.infer<typeof pageSchema>

/** By title. */
export const adminSitePagesCall = defineAdminCall({
  name: 'admin-site-pages',
  roles: ['owner', 'editor'],
  input: z.object({}),
  output: z.object({ items: z.array(summarySchema) }),
})

export const adminSitePageCall = defineAdminCall({
  name: 'admin-site-page',
  roles: ['owner', 'editor'],
  input: z.object({ id: z.uuid() }),
  output: pageSchema,
})

/**
 * Version 0 creates a page. Fails with `edit_conflict` and `current` if `version` isn't the latest, and with
 * `validation_failed` and `problems` by field.
 */
export const adminSaveSitePageCall = defineAdminCall({
  name: 'admin-save-site-page',
  roles: ['owner', 'editor'],
  invalidates: ['admin-site-pages'],
  input: z.object({
    id: z.uuid(),
    version: z.int32().min(0),
    path: z.string().max(200),
    title: z.string().max(1_000),
    body: z.string().max(100_000),
    audience: z.enum(pageAudiences),
    isPublished: z.boolean(),
  }),
  output: pageSchema,
})
export type SitePageInput = z.infer<typeof adminSaveSitePageCall.input>

export const adminDeleteSitePageCall = defineAdminCall({
  name: 'admin-delete-site-page',
  roles: ['owner', 'editor'],
  invalidates: ['admin-site-pages'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})

/** A published page, as members read it in the portal. */
export const sitePageCall = defineCall({
  name: 'site-page',
  audience: 'subscriber',
  input: z.object({ path: z.string().max(80) }),
  output: z.object({ title: z.string(), html: z.string() }),
})
