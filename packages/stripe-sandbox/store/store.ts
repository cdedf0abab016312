import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { dueAt } from '../clock/next-due-time.ts'
import type { ApiObject, JsonObject } from '../types.ts'
import { type IdSource, randomText, seededIds, takingIdsFrom } from './ids.ts'

/**
 * One table for all objects: the object as in the API, private data (`notes`), and the columns that lists filter by.
 * `due_at` is the simulated second at which time alone changes the object.
 */
const tables = `
  create table if not exists objects (
    seq integer primary key autoincrement,
    id text not null unique,
    type text not null,
    created integer not null,
    customer text,
    subscription text,
    status text,
    test_clock text,
    lookup text,
    due_at integer,
    deleted integer not null default 0,
    json text not null,
    notes text
  ) strict;
  create index if not exists objects_type on objects (type, seq);
  create index if not exists objects_customer on objects (customer, type, seq);
  create index if not exists objects_subscription on objects (subscription, type, seq);
  create index if not exists objects_lookup on objects (type, lookup);
  create index if not exists objects_due on objects (test_clock, due_at) where due_at is not null;

  create table if not exists events (
    seq integer primary key autoincrement,
    id text not null unique,
    type text not null,
    created integer not null,
    stored_at integer not null,
    json text not null
  ) strict;
  create index if not exists events_type on events (type, seq);

  create table if not exists deliveries (
    id integer primary key autoincrement,
    event text not null,
    endpoint text not null,
    state text not null default 'pending',
    attempts integer not null default 0,
    next_at integer not null,
    last_status integer,
    last_error text,
    last_ms integer,
    delivered_at integer
  ) strict;
  create index if not exists deliveries_due on deliveries (endpoint, next_at, id) where state = 'pending';
  create index if not exists deliveries_event on deliveries (event);

  create table if not exists idempotency (
    key text primary key,
    path text not null,
    digest text not null,
    status integer not null,
    body text not null,
    created integer not null
  ) strict;

  create table if not exists said (id text primary key, address text not null, json text not null, at integer not null) strict;

  create table if not exists settings (name text primary key, value text not null) strict;
`

type Columns = {
  customer: string | null
  subscription: string | null
  status: string | null
  testClock: string | null
  lookup: string | null
  dueAt: number | null
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The field by which objects of this type can be looked up, besides the id. */
const lookupField: { [type: string]: string | undefined } = {
  customer: 'email',
  price: 'lookup_key',
  promotion_code: 'code',
  invoice_payment: 'invoice',
  charge: 'payment_intent',
  refund: 'charge',
  dispute: 'charge',
}

function subscriptionOf(object: ApiObject): string | null {
  const parent = object.parent as { subscription_details?: { subscription?: string } } | null | undefined
  return textOrNull(object.subscription) ?? textOrNull(parent?.subscription_details?.subscription)
}

/** The columns that lists and the clock filter by, derived from the object so that they always agree. */
function columnsOf(object: ApiObject, notes: JsonObject): Columns {
  return {
    customer: textOrNull(object.customer),
    subscription: subscriptionOf(object),
    status: textOrNull(object.status),
    testClock: textOrNull(object.test_clock),
    lookup: textOrNull(object[lookupField[object.object] ?? '']),
    dueAt: dueAt(object, notes),
  }
}

export type Row = { [column: string]: string | number | null }

/** All state of the sandbox. Synchronous, so a request never sees another one's partial changes. */
export type Store = ReturnType<typeof openStore>

/**
 * Opens or creates the SQLite file; `:memory:` for a store in memory. WAL keeps committed data if the process is killed.
 * @param idSeed makes ids reproducible; its position is stored in the file
 */
export function openStore(file: string, idSeed?: string) {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 3000;')
  db.exec(tables)
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  let depth = 0

  function statement(sql: string) {
    const known = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, known)
    return known
  }

  const rows = (sql: string, ...values: SQLInputValue[]): Row[] => statement(sql).all(...values) as Row[]
  const row = (sql: string, ...values: SQLInputValue[]): Row | undefined =>
    statement(sql).get(...values) as Row | undefined
  const run = (sql: string, ...values: SQLInputValue[]) => statement(sql).run(...values)

  /** Runs `work` in a transaction. Nested calls become savepoints. */
  function transaction<T>(work: () => T): T {
    const name = `level_${depth}`
    db.exec(depth === 0 ? 'begin immediate' : `savepoint ${name}`)
    depth += 1
    try {
      const result = depth === 1 ? takingIdsFrom(ids, work) : work()
      depth -= 1
      db.exec(depth === 0 ? 'commit' : `release ${name}`)
      return result
    } catch (error) {
      depth -= 1
      db.exec(depth === 0 ? 'rollback' : `rollback to ${name}; release ${name}`)
      throw error
    }
  }

  /** The object with this id and type. Includes deleted ones on request. */
  function find<T extends ApiObject>(type: T['object'], id: string, withDeleted = false): T | undefined {
    const found = row('select json, deleted from objects where id = ? and type = ?', id, type)
    if (!found || (found.deleted === 1 && !withDeleted)) return undefined
    return JSON.parse(String(found.json)) as T
  }

  /** Private data about an object, never part of responses. */
  function notes<N extends JsonObject>(id: string): Partial<N> {
    const found = row('select notes from objects where id = ?', id)
    return found?.notes ? (JSON.parse(String(found.notes)) as Partial<N>) : {}
  }

  /** Inserts or replaces an object. Keeps its notes unless new ones are given. */
  function put(object: ApiObject, newNotes?: JsonObject): void {
    const kept = newNotes ?? notes(object.id)
    const c = columnsOf(object, kept)
    run(
      `insert into objects (id, type, created, customer, subscription, status, test_clock, lookup, due_at, json, notes)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (id) do update set customer = excluded.customer, subscription = excluded.subscription,
         status = excluded.status, test_clock = excluded.test_clock, lookup = excluded.lookup,
         due_at = excluded.due_at, json = excluded.json, notes = excluded.notes`,
      ...[object.id, object.object, object.created ?? 0, c.customer, c.subscription, c.status, c.testClock, c.lookup],
      ...[c.dueAt, JSON.stringify(object), JSON.stringify(kept)],
    )
  }

  /** Marks an object as deleted. Lists omit it; `find` returns it on request. */
  const markDeleted = (id: string): void => void run('update objects set deleted = 1, due_at = null where id = ?', id)

  const remove = (id: string): void => void run('delete from objects where id = ?', id)

  /** All objects of a type that match `where`, oldest first. */
  function select<T extends ApiObject>(type: T['object'], where = 'true', ...values: SQLInputValue[]): T[] {
    const found = rows(
      `select json from objects where type = ? and deleted = 0 and ${where} order by seq`,
      type,
      ...values,
    )
    return found.map((each) => JSON.parse(String(each.json)) as T)
  }

  const setting = (name: string): string | undefined => {
    const found = row('select value from settings where name = ?', name)
    return found === undefined ? undefined : String(found.value)
  }
  const saveSetting = (name: string, value: string): void =>
    void run('insert into settings values (?, ?) on conflict (name) do update set value = excluded.value', name, value)

  /** Part of the transaction: a rollback releases its ids. */
  function drawId(): number {
    const drawn = Number(setting('ids_drawn') ?? 0) + 1
    saveSetting('ids_drawn', String(drawn))
    return drawn
  }
  const ids: IdSource = idSeed === undefined ? randomText : seededIds(idSeed, drawId)

  const close = (): void => db.close()

  return { rows, row, run, transaction, find, notes, put, markDeleted, remove, select, setting, saveSetting, close }
}
