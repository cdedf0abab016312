import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { userId } from './auth.ts'
import { created, instant, partOf, updated } from './columns.ts'

/**
 * The latest saved text of each issue, prompt pack, guide and tool. Publishing copies it to the tables of content.ts,
 * which readers see.
 */
export const contentDocument = pgTable(
  'content_document',
  {
    /** `issue`, `prompt-pack`, `guide` or `tool`. */
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    document: jsonb('document').notNull(),
    /** Incremented by every save. A save names the version it is based on. */
    version: integer('version').notNull(),
    /** Version that readers see; null if they can't see any. */
    publishedVersion: integer('published_version'),
    /** True once it was saved in the admin. The seed then ignores its file in content/. */
    editedInAdmin: boolean('edited_in_admin').notNull().default(false),
    /** Why scheduled publishing failed; cleared when it is published, scheduled or dismissed. */
    publishFailure: jsonb('publish_failure'),
    createdAt: instant('created_at').notNull(),
    ...updated(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.id] }),
    index('content_document_kind_updated_at_idx').on(t.kind, t.updatedAt),
  ],
)

/** Scheduled publishing; at most one row per document. */
export const contentSchedule = pgTable(
  'content_schedule',
  {
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    /** The text at the time of scheduling. */
    document: jsonb('document').notNull(),
    publishAt: instant('publish_at').notNull(),
    ...created(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index('content_schedule_publish_at_idx').on(t.publishAt)],
)

/** Earlier versions, which can be compared and restored. Those of a deleted draft are kept for 30 days. */
export const contentRevision = pgTable(
  'content_revision',
  {
    revision: bigserial('revision', { mode: 'number' }).primaryKey(),
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    document: jsonb('document').notNull(),
    /** `saved`, `published`, `restored` or `deleted`. */
    reason: text('reason').notNull(),
    ...created(),
  },
  (t) => [index('content_revision_kind_id_revision_idx').on(t.kind, t.id, t.revision.desc())],
)

/** Reusable Markdown. Issues reference it as `{{block:id}}`, which is expanded when they are rendered. */
export const contentBlock = pgTable('content_block', {
  id: text('id').primaryKey(),
  title: text('title').notNull(),
  body: text('body').notNull(),
  version: integer('version').notNull(),
  ...updated(),
})

/** Pages that the publisher adds. `path` has no slash: "faq" is shown at /faq. */
export const sitePage = pgTable('site_page', {
  id: uuid('id').primaryKey(),
  path: text('path').notNull().unique(),
  title: text('title').notNull(),
  /** Markdown. */
  body: text('body').notNull(),
  /** `everyone` or `members`. */
  audience: text('audience').notNull(),
  /** Null for a draft. */
  publishedAt: instant('published_at'),
  version: integer('version').notNull(),
  ...updated(),
})

/** Uploaded images, by the SHA-256 of the bytes that are served. */
export const mediaImage = pgTable(
  'media_image',
  {
    hash: text('hash').primaryKey(),
    contentType: text('content_type').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    bytes: integer('bytes').notNull(),
    originalName: text('original_name').notNull(),
    ...created(),
  },
  (t) => [index('media_image_created_at_idx').on(t.createdAt.desc(), t.hash.desc())],
)

/** Uploaded files of guides. All versions are kept. */
export const guideFile = pgTable(
  'guide_file',
  {
    guideId: text('guide_id').notNull(),
    version: integer('version').notNull(),
    /** SHA-256 of the bytes, and their key in the object store. */
    hash: text('hash').notNull(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** Plain text of the file, for search; null if it wasn't read. */
    text: text('text'),
    ...created(),
  },
  (t) => [primaryKey({ columns: [t.guideId, t.version] })],
)

/** Uploaded files and sounds that texts link to, by the SHA-256 of their bytes. */
export const textFile = pgTable('text_file', {
  hash: text('hash').primaryKey(),
  name: text('name').notNull(),
  contentType: text('content_type').notNull(),
  bytes: integer('bytes').notNull(),
  /** Length of a sound. */
  seconds: integer('seconds'),
  ...created(),
})

/** Settings that the publisher changes at runtime, by name: `sending`, `trust-pages`, and the groups of the site settings. */
export const publicationSettings = pgTable('publication_settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  /** Incremented by every save of a group of the site settings, which names the version it is based on. */
  version: integer('version').notNull().default(1),
  ...updated(),
})

/** Every saved version of the site settings. */
export const publicationSettingVersions = pgTable(
  'publication_setting_versions',
  {
    name: text('name').notNull(),
    version: integer('version').notNull(),
    value: jsonb('value').notNull(),
    ...created(),
  },
  (t) => [primaryKey({ columns: [t.name, t.version] })],
)

/** Newsletters that the publisher added. Rows are never deleted, so that links in old emails keep their meaning. */
export const newsletter = pgTable(
  'newsletter',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** Empty for the publication's sender, as are the address and Reply-To. */
    senderName: text('sender_name').notNull().default(''),
    senderAddress: text('sender_address').notNull().default(''),
    replyTo: text('reply_to').notNull().default(''),
    /** True if only readers with access get it. */
    membersOnly: boolean('members_only').notNull(),
    /** True if everyone who joins is subscribed until they turn it off. */
    subscribesNewMembers: boolean('subscribes_new_members').notNull(),
    position: integer('position').notNull(),
    retiredAt: instant('retired_at'),
    /** Incremented by every save, which names the version it is based on. */
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    ...updated(),
  },
  (t) => [uniqueIndex('newsletter_name_key').on(sql`lower(${t.name})`).where(sql`retired_at is null`)],
)

/** Who gets which newsletter. A reader without a row was never subscribed; one who unsubscribed keeps a row. */
export const newsletterSubscription = pgTable(
  'newsletter_subscription',
  {
    newsletterId: integer('newsletter_id')
      .notNull()
      .references(() => newsletter.id),
    userId: userId(),
    subscribed: boolean('subscribed').notNull(),
    /** When the reader was subscribed or unsubscribed; 1970 if an import didn't say. */
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.newsletterId, t.userId] }),
    index('newsletter_subscription_user_id_idx').on(t.userId),
    // For the overview, which looks at the last weeks.
    index('newsletter_subscription_unsubscribed_at_idx').on(t.changedAt, t.userId).where(sql`not subscribed`),
    // Few readers unsubscribe, so the filter on them reads little.
    index('newsletter_subscription_unsubscribed_idx').on(t.newsletterId, t.userId).where(sql`not subscribed`),
  ],
)

/** Groups of readers that the publisher put together by hand. */
export const segments = pgTable('segments', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull().unique(),
  ...created(),
})

export const segmentMembers = pgTable(
  'segment_members',
  {
    segmentId: partOf('segment_id', () => segments.id),
    userId: userId(),
    addedAt: instant('added_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.segmentId, t.userId] }), index('segment_members_user_id_idx').on(t.userId)],
)

/** Views of public pages, as counts of 90 days. `visits` are the first views of a visitor on a day, in UTC. */
export const pageVisits = pgTable(
  'page_visits',
  {
    day: date('day', { mode: 'string' }).notNull(),
    path: text('path').notNull(),
    /** A name such as "newsletter.example" or "google", or "direct". */
    source: text('source').notNull(),
    /** Empty without one. */
    campaign: text('campaign').notNull(),
    isBot: boolean('is_bot').notNull(),
    visits: integer('visits').notNull(),
    views: integer('views').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.path, t.source, t.campaign, t.isBot] })],
)

/**
 * Where the visitors of today and yesterday came from, to know it when they sign up or pay. The key is a hash of address and
 * browser that is different each day, so a visitor isn't recognized later, and rows are deleted after a day.
 */
export const visitors = pgTable(
  'visitors',
  {
    hash: text('hash').primaryKey(),
    firstSource: text('first_source').notNull(),
    firstCampaign: text('first_campaign').notNull(),
    firstPath: text('first_path').notNull(),
    lastSource: text('last_source').notNull(),
    lastCampaign: text('last_campaign').notNull(),
    seenAt: instant('seen_at').notNull(),
  },
  (t) => [index('visitors_seen_at_idx').on(t.seenAt)],
)

/** Where members came from: first when they signed up, and last when they signed up or began to pay. */
export const memberSources = pgTable(
  'member_sources',
  {
    userId: userId().primaryKey(),
    firstSource: text('first_source').notNull(),
    firstCampaign: text('first_campaign').notNull(),
    firstPath: text('first_path').notNull(),
    firstAt: instant('first_at').notNull(),
    lastSource: text('last_source').notNull(),
    lastCampaign: text('last_campaign').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (t) => [index('member_sources_first_source_idx').on(t.firstSource)],
)

/** Members' own feeds. The address contains the version, so raising it ends the earlier address. */
export const memberFeeds = pgTable('member_feeds', {
  userId: userId().primaryKey(),
  version: integer('version').notNull(),
  changedAt: instant('changed_at').notNull(),
})

/** Recordings of drops. A drop has one `current`; files of the others are deleted soon. */
export const recording = pgTable(
  'recording',
  {
    id: uuid('id').primaryKey(),
    /** The drop's document, published or not. */
    issueId: text('issue_id').notNull(),
    /** `uploading`, `current` or `replaced`. */
    status: text('status').notNull(),
    /** `mp3`, `m4a` or `wav`, as its content says; empty while it is uploaded. */
    format: text('format').notNull().default(''),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    seconds: integer('seconds').notNull().default(0),
    /** The second at which a section begins, by the section's id. */
    starts: jsonb('starts').$type<Record<string, number>>().notNull().default({}),
    originalName: text('original_name').notNull(),
    /** When the file or the starts changed last. */
    changedAt: instant('changed_at').notNull(),
    ...created(),
  },
  (t) => [uniqueIndex('recording_current_key').on(t.issueId).where(sql`status = 'current'`)],
)

/** Where a reader stopped listening. */
export const listeningPosition = pgTable(
  'listening_position',
  {
    userId: userId(),
    issueId: text('issue_id').notNull(),
    seconds: integer('seconds').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.issueId] })],
)

/** Who listened to or downloaded which recording on which day, in UTC. */
export const recordingDownload = pgTable(
  'recording_download',
  {
    issueId: text('issue_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    userId: userId(),
  },
  (t) => [primaryKey({ columns: [t.issueId, t.day, t.userId] }), index('recording_download_user_id_idx').on(t.userId)],
)

/** Networks and apps that fetched a member's feed on a day, for a month: many of them mean that the feed is shared. */
export const feedFetch = pgTable(
  'feed_fetch',
  {
    userId: userId(),
    day: date('day', { mode: 'string' }).notNull(),
    /** A hash of network and app, different each day. */
    source: text('source').notNull(),
    app: text('app').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.day, t.source] })],
)
