import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ProfileVariable, Values } from '#shared/domain/business-profile.ts'
import type { ContentKind } from '#shared/domain/content-items.ts'
import type { CrewLanguage, TaskAnswerKind } from '#shared/domain/task-links.ts'
import { userId, users } from './auth.ts'
import { instant, itemColumns, partOf } from './columns.ts'
import { contentItems } from './content.ts'
import { businessLocation } from './reader.ts'

/** The team, by its owner. */
const ownerId = () => partOf('owner_id', () => users.id)

/**
 * Team members. The owner has seat 1 without a row; unique seat numbers limit the team size under concurrent joins.
 * Access depends on the owner's subscription, so seats are kept while that is inactive.
 */
export const teamSeat = pgTable(
  'team_seat',
  {
    ownerId: ownerId(),
    seat: smallint('seat').notNull(),
    /** A user can be in only one team. */
    userId: uuid('user_id')
      .notNull()
      .unique()
      .references(() => users.id, { onDelete: 'cascade' }),
    joinedAt: instant('joined_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.seat] }),
    check('team_seat_number', sql`${t.seat} between 2 and 10000`),
    check('team_seat_not_the_owner', sql`${t.userId} <> ${t.ownerId}`),
  ],
)

/** One row per owner and invited address. Inviting again renews it. */
export const teamInvitation = pgTable(
  'team_invitation',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    ownerId: ownerId(),
    /** Lower case, like account addresses. */
    email: text('email').notNull(),
    /** Hash of the link's token, which is derived from the emailed code. The table reveals neither. */
    tokenHash: text('token_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** When it was used. An invitation works once. */
    acceptedAt: instant('accepted_at'),
  },
  (t) => [
    uniqueIndex('team_invitation_owner_id_email_key').on(t.ownerId, t.email),
    uniqueIndex('team_invitation_token_hash_key').on(t.tokenHash),
    index('team_invitation_email_idx').on(t.email),
  ],
)

/** Email domains of a team. People with a confirmed address there get a seat when they sign in. */
export const teamDomain = pgTable(
  'team_domain',
  {
    ownerId: ownerId(),
    /** Lower case, in ASCII. Subdomains are other domains. */
    domain: text('domain').notNull(),
    /** Where the code was sent. */
    email: text('email').notNull(),
    /** Null once the code was used. */
    codeHash: text('code_hash'),
    codeExpiresAt: instant('code_expires_at').notNull(),
    attempts: smallint('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    /** When the code was entered. Until then the domain gives no seats. */
    provenAt: instant('proven_at'),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.domain] }),
    uniqueIndex('team_domain_proven_key').on(t.domain).where(sql`proven_at is not null`),
  ],
)

/** People who left a team or were removed. Signing in at one of its domains doesn't seat them again. */
export const formerTeamMember = pgTable(
  'former_team_member',
  {
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    ownerId: ownerId(),
    /** Keyed hash of the mailbox, which outlives the account. */
    addressHash: text('address_hash').notNull(),
    endedAt: instant('ended_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.addressHash] }), index('former_team_member_user_id_idx').on(t.userId)],
)

/** Requests to a team's owner: for one's own seat, or by members for others. One row per person. */
export const seatRequest = pgTable(
  'seat_request',
  {
    ownerId: ownerId(),
    userId: userId(),
    seats: smallint('seats').notNull(),
    requestedAt: instant('requested_at').notNull(),
    /** A declined request stays, so that signing in doesn't ask again. */
    declinedAt: instant('declined_at'),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.userId] }), index('seat_request_user_id_idx').on(t.userId)],
)

/** Someone whose account may be deleted while the row stays. */
const person = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' })

const assignmentId = () => partOf('assignment_id', () => teamAssignment.id)

/** Stays when the person leaves or the location is deleted. Without an item, the team wrote what to do. */
export const teamAssignment = pgTable(
  'team_assignment',
  {
    /** Chosen by the client, so that a repeated request assigns once. */
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    kind: text('kind').$type<ContentKind>(),
    itemId: text('item_id'),
    /** What to do in the team's words, or a step of a guide; empty for the item's title. */
    title: text('title').notNull().default(''),
    /** The team's text, or the prompt as it was filled in for the location; empty for the item's own. */
    text: text('text').notNull().default(''),
    /** Facts of the location and its business in the text; null for none. */
    facts: jsonb('facts').$type<Values<ProfileVariable>>(),
    assignedTo: text('assigned_to').$type<'person' | 'location'>().notNull(),
    assigneeId: person('assignee_id'),
    locationId: uuid('location_id').references(() => businessLocation.id, { onDelete: 'set null' }),
    dueOn: date('due_on', { mode: 'string' }),
    note: text('note').notNull(),
    createdBy: person('created_by'),
    createdAt: instant('created_at').notNull(),
    /** When person or location, date or note last changed, by the clock of the device. */
    editedAt: instant('edited_at'),
    /** Removed rows are kept for a month, so that removing can be undone and late changes find them. */
    removed: boolean('removed').notNull().default(false),
    /** When it was last removed or restored, by the clock of the device. */
    removedAt: instant('removed_at'),
    done: boolean('done').notNull().default(false),
    doneBy: person('done_by'),
    /** The name that someone without an account entered. */
    doneName: text('done_name').notNull().default(''),
    /** When it was last checked off or reopened, by the clock of the device. */
    checkedAt: instant('checked_at'),
  },
  (t) => [
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    check('team_assignment_item', sql`(${t.kind} is null) = (${t.itemId} is null)`),
    index('team_assignment_owner_id_created_at_idx').on(t.ownerId, t.createdAt.desc()),
    index('team_assignment_assignee_id_idx').on(t.assigneeId),
    index('team_assignment_location_id_idx').on(t.locationId),
    index('team_assignment_created_by_idx').on(t.createdBy),
    index('team_assignment_done_by_idx').on(t.doneBy),
    index('team_assignment_due_on_idx').on(t.dueOn).where(sql`not done and not removed`),
  ],
)

/** An email to someone about what was assigned to them, written with the assignment. Those not handled yet wait for a job. */
export const assignmentNotice = pgTable(
  'assignment_notice',
  {
    assignmentId: assignmentId(),
    userId: userId(),
    createdAt: instant('created_at').notNull(),
    /** When the email was enqueued, or found to be of no use anymore. */
    handledAt: instant('handled_at'),
    sent: boolean('sent').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.assignmentId, t.userId] }),
    index('assignment_notice_user_id_idx').on(t.userId),
    index('assignment_notice_waiting_idx').on(t.createdAt).where(sql`handled_at is null`),
  ],
)

/** Reminders that were enqueued: each kind once for a due date. */
export const assignmentReminder = pgTable(
  'assignment_reminder',
  {
    assignmentId: assignmentId(),
    userId: userId(),
    /** `soon`: two days before. `due`: on the day. */
    kind: text('kind').$type<'soon' | 'due'>().notNull(),
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    sentAt: instant('sent_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.assignmentId, t.userId, t.kind, t.dueOn] }),
    index('assignment_reminder_user_id_idx').on(t.userId),
  ],
)

/** The last weekly summary of what someone assigned. */
export const assignmentSummary = pgTable('assignment_summary', {
  userId: userId().primaryKey(),
  /** Its Monday. An earlier one is never sent again. */
  weekOf: date('week_of', { mode: 'string' }).notNull(),
  sentAt: instant('sent_at').notNull(),
})

/** Locations of a member. Counts only while the location belongs to the team's owner; ends with the seat. */
export const teamSeatLocation = pgTable(
  'team_seat_location',
  {
    userId: partOf('user_id', () => teamSeat.userId),
    locationId: partOf('location_id', () => businessLocation.id),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.locationId] }),
    index('team_seat_location_location_id_idx').on(t.locationId),
  ],
)

/** The collection that a team shares. A row stays when the item is taken out, so that a late change can't undo a newer one. */
export const teamCollectionItem = pgTable(
  'team_collection_item',
  {
    ownerId: ownerId(),
    ...itemColumns(),
    member: boolean('member').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.kind, t.itemId] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
  ],
)

/** The link to an assignment for people without an account. An assignment has one; a new one replaces it. */
export const taskLink = pgTable(
  'task_link',
  {
    assignmentId: assignmentId().primaryKey(),
    /** SHA-256 of the token in hex. The token is derived from the server's secret, the id and `round`. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Incremented by each new link. */
    round: integer('round').notNull(),
    /** Whom it is for, such as "Closing crew"; empty for the entire store. */
    crew: text('crew').notNull(),
    /** Null: that of the phone. */
    language: text('language').$type<CrewLanguage>(),
    createdBy: person('created_by'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [index('task_link_created_by_idx').on(t.createdBy)],
)

/** Who opened a task by its link: the names that were entered, and an empty one for those who entered none. */
export const taskOpening = pgTable(
  'task_opening',
  {
    assignmentId: assignmentId(),
    name: text('name').notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.assignmentId, t.name] })],
)

/** What someone without an account sent: that a task is done, or a question to the owner. */
export const taskAnswer = pgTable(
  'task_answer',
  {
    id: uuid('id').primaryKey(),
    assignmentId: assignmentId(),
    kind: text('kind').$type<TaskAnswerKind>().notNull(),
    name: text('name').notNull(),
    /** The question. */
    text: text('text').notNull().default(''),
    /** The number given as proof, as it was typed. */
    number: text('number').notNull().default(''),
    /** Null without a photo. Its row in `task_photo` is gone once the photo is deleted. */
    photoId: uuid('photo_id'),
    at: instant('at').notNull(),
  },
  (t) => [index('task_answer_assignment_id_at_idx').on(t.assignmentId, t.at)],
)

/**
 * Photos in the file store. No foreign key: a row stays until its file is deleted, also when the answer is gone with the
 * account.
 */
export const taskPhoto = pgTable('task_photo', {
  id: uuid('id').primaryKey(),
  createdAt: instant('created_at').notNull(),
})
