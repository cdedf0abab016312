/**
 * One table for all objects: the object as in the API, private data (`notes`), and the columns that lists filter by.
 * `due_at` is the simulated second at which time alone changes the object.
 */
export const tables = `
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
