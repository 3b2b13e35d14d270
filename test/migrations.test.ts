/** What a migration may do while processes of the release before read and write the tables. */
import { readdirSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

/** Those before were written while no table was large, and are done everywhere. */
const FIRST = '0067'

const migrations = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql') && name.slice(0, 4) >= FIRST)
  .map((name) => ({ name, sql: readFileSync(`migrations/${name}`, 'utf8') }))

/** A statement breaks a rule on purpose where it begins with a line `-- Allowed: ` and the reason. */
const allowed = /^-- Allowed: \S/m

const rules: { rule: string; breaks: RegExp; unless?: RegExp }[] = [
  {
    rule: 'an index of a table that is used is made CONCURRENTLY',
    breaks: /^create (unique )?index/,
    unless: /^create (unique )?index concurrently /,
  },
  {
    rule: 'a constraint is added NOT VALID, and validated by a later migration',
    breaks:
      /\badd (constraint "?\w+"? )?(check|foreign key)\b|^alter .*\bcolumn .*\b(references|check) ?["(]/,
    unless: /\bnot valid$/,
  },
  {
    rule: 'a key of a table that is used is added USING INDEX',
    breaks: /\badd (constraint "?\w+"? )?(unique|primary key|exclude)\b/,
    unless: /\b(unique|primary key) using index\b/,
  },
  {
    rule: 'a column that is filled for each row rewrites the table, or reads all of it',
    breaks:
      /\b(set data type|alter (column )?"?\w+"? type|set not null|add (column )?(if not exists )?"?\w+"? .*(\bserial\b|\bgenerated always\b|\bdefault .*(random|clock_timestamp|nextval|uuid)))/,
  },
  {
    rule: 'a column that may not be null has a default: processes of the release before do not write it',
    breaks: /\badd (column )?(if not exists )?"?\w+"? .*\bnot null\b/,
    unless: /\bdefault\b/,
  },
  {
    rule: 'rows are not changed by a migration: a job does that, in parts',
    breaks: /^(with .*|)(update|delete from|merge into|truncate)\b|^insert into .*\bselect\b|^do\b/,
  },
  {
    rule: 'processes of the release before still use what is dropped or has another name',
    breaks:
      /^drop table\b|\bdrop (column )?(?!constraint|default|not null|index|expression)"|\brename\b/,
  },
  {
    rule: 'a table is not rewritten',
    breaks:
      /^(cluster|vacuum full|reindex (?!.*concurrently))|\bset (logged|unlogged|tablespace)\b/,
  },
]

function faultsOf(sql: string): string[] {
  const all = sql.split('--> statement-breakpoint')
  const texts = all.map(plain)
  const made = new Set(
    texts.flatMap((text) => /^create table (?:if not exists )?"?(\w+)"?/.exec(text)?.[1] ?? []),
  )
  const faults = texts.flatMap((text, place) => {
    if (allowed.test(all[place] ?? '') || made.has(tableOf(text) ?? '')) return []
    return rules
      .filter(({ breaks, unless }) => breaks.test(text) && !unless?.test(text))
      .map(({ rule }) => rule)
  })
  const isConcurrent = texts.some((text) => / index concurrently /.test(text))
  if (isConcurrent && texts.some((text) => !repeatable.test(text)))
    faults.push(
      'with an index CONCURRENTLY stand only others, and DROP INDEX CONCURRENTLY IF EXISTS',
    )
  const added = texts.flatMap((text) => /\badd constraint "?(\w+)"?/.exec(text)?.[1] ?? [])
  if (texts.some((text) => added.includes(/\bvalidate constraint "?(\w+)"?/.exec(text)?.[1] ?? '')))
    faults.push('a constraint is added NOT VALID, and validated by a later migration')
  return faults
}

/** One that is broken off is begun again from its first statement. */
const repeatable = /^(create (unique )?index concurrently "|drop index concurrently if exists )/

/** In small letters, without comments, on one line. */
const plain = (statement: string) =>
  statement
    .replace(/--.*$/gm, '')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/;$/, '')
    .toLowerCase()

const tableOf = (text: string) =>
  /^(?:alter table (?:only )?|create (?:unique )?index .*? on |insert into )"?(\w+)"?/.exec(
    text,
  )?.[1]

test.each(migrations)('$name can run while the tables are used', ({ sql }) => {
  expect(faultsOf(sql)).toEqual([])
})

describe('of a table that is used', () => {
  test.each([
    'CREATE INDEX "a" ON "turns" USING btree ("text")',
    'ALTER TABLE "turns" ADD CONSTRAINT "a" CHECK ("turns"."text" <> \'\')',
    'ALTER TABLE "turns" ADD CONSTRAINT "a" FOREIGN KEY ("id") REFERENCES "public"."users"("id")',
    'ALTER TABLE "turns" ADD COLUMN "by" uuid REFERENCES "users"("id")',
    'ALTER TABLE "turns" ADD CONSTRAINT "a" UNIQUE("text")',
    'ALTER TABLE "turns" ADD PRIMARY KEY ("id")',
    'ALTER TABLE "turns" ALTER COLUMN "text" SET DATA TYPE jsonb',
    'ALTER TABLE "turns" ALTER COLUMN "text" SET NOT NULL',
    'ALTER TABLE "turns" ADD COLUMN "key" uuid DEFAULT gen_random_uuid() NOT NULL',
    'ALTER TABLE "turns" ADD COLUMN "size" integer GENERATED ALWAYS AS (length(text)) STORED',
    'ALTER TABLE "turns" ADD COLUMN "size" integer NOT NULL',
    'update turns set text = lower(text)',
    'delete from "turns"',
    'insert into "edits" select * from "turns"',
    'do $$ begin end $$',
    'DROP TABLE "turns"',
    'ALTER TABLE "turns" DROP COLUMN "text"',
    'ALTER TABLE "turns" RENAME COLUMN "text" TO "said"',
    'ALTER TABLE "turns" ADD CONSTRAINT "a" CHECK (true) NOT VALID;--> statement-breakpoint\nALTER TABLE "turns" VALIDATE CONSTRAINT "a"',
    'DROP INDEX "a";--> statement-breakpoint\nCREATE INDEX CONCURRENTLY "a" ON "turns" ("text")',
  ])('no migration does this: %s', (sql) => {
    expect(faultsOf(sql)).not.toEqual([])
  })

  test.each([
    'CREATE INDEX CONCURRENTLY "a" ON "turns" USING btree ("text")',
    'DROP INDEX CONCURRENTLY IF EXISTS "a";--> statement-breakpoint\nCREATE UNIQUE INDEX CONCURRENTLY "b" ON "turns" ("text")',
    'DROP INDEX "a"',
    'ALTER TABLE "turns" ADD CONSTRAINT "a" CHECK ("turns"."text" <> \'\') NOT VALID',
    'ALTER TABLE "turns" VALIDATE CONSTRAINT "a"',
    'ALTER TABLE "turns" ADD CONSTRAINT "a" UNIQUE USING INDEX "b"',
    'ALTER TABLE "turns" ADD COLUMN "size" integer',
    'ALTER TABLE "turns" ADD COLUMN "size" integer DEFAULT 0 NOT NULL',
    'ALTER TABLE "turns" ALTER COLUMN "text" DROP NOT NULL',
    'ALTER TABLE "turns" DROP CONSTRAINT "a"',
    'CREATE TABLE "new" ("id" uuid);--> statement-breakpoint\nCREATE INDEX "a" ON "new" ("id");--> statement-breakpoint\nALTER TABLE "new" ADD CONSTRAINT "b" FOREIGN KEY ("id") REFERENCES "public"."users"("id")',
    '-- Allowed: it has one row.\nupdate installation set name = null',
  ])('a migration may do this: %s', (sql) => {
    expect(faultsOf(sql)).toEqual([])
  })
})
