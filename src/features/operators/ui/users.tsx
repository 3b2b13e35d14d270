import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'

import { Loaded, ShowMore } from '#features/account/ui/loaded.tsx'
import { adminUserPath } from '#web/admin-paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputClasses } from '#web/ui/field.tsx'

import type { UserRow } from '../contract.ts'
import { usersQuery } from './queries.ts'
import { seen } from './words.ts'

export function Users({ count }: { count: number }) {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const query = useInfiniteQuery({ ...usersQuery(q.trim()), placeholderData: keepPreviousData })
  const look = (value: string) => {
    const next = new URLSearchParams(search)
    if (value) next.set('q', value)
    else next.delete('q')
    setSearch(next, { replace: true, preventScrollReset: true })
  }
  return (
    <section aria-labelledby="users">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="users" className="font-display text-h3 font-semibold">
          Users{' '}
          <span className="font-sans text-ui font-normal text-ink-2">
            {count.toLocaleString('en-US')}
          </span>
        </h2>
        <div role="search" className="relative w-full sm:w-72">
          <Search
            size={20}
            aria-hidden="true"
            className="pointer-events-none absolute top-3 left-3 text-ink-2 sm:top-2"
          />
          <input
            type="search"
            aria-label="Find users"
            placeholder="Name, email or job id"
            value={q}
            maxLength={320}
            onChange={(event) => look(event.target.value)}
            className={classes(inputClasses, 'pl-10 sm:h-9')}
          />
        </div>
      </div>
      <Loaded query={query} what="the users">
        {({ pages }) => {
          const users = pages.flatMap((page) => page.users)
          return users.length === 0 ? (
            <p role="status" className="mt-3 border-t border-line pt-4 text-small text-ink-2">
              {q ? `Nobody is found by “${q}”.` : 'Nobody has signed up yet.'}
            </p>
          ) : (
            <>
              <Table users={users} />
              <ShowMore query={query}>Show more</ShowMore>
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

function Table({ users }: { users: UserRow[] }) {
  return (
    <table className="mt-3 w-full text-small max-sm:block max-sm:border-t max-sm:border-line">
      <caption className="sr-only">Users, who was seen last first</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line text-left text-ink-2 [&>th]:py-2.5 [&>th]:pr-4 [&>th]:font-semibold">
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          <th scope="col">Plan</th>
          <th scope="col" className="text-right">
            Credits
          </th>
          <th scope="col">Seen</th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {users.map((user) => (
          <tr
            key={user.id}
            className="border-b border-rule max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-3 max-sm:py-3 sm:[&>td]:h-11 sm:[&>td]:pr-4"
          >
            <td className="font-semibold">
              <Link to={adminUserPath(user.id)} className="wrap-anywhere hover:underline">
                {user.name || user.email}
              </Link>
              {user.isBlocked ? <Badge className="ml-2">Blocked</Badge> : null}
            </td>
            <td className="wrap-anywhere text-ink-2 max-sm:order-2">{user.email}</td>
            <td className="max-sm:order-4">{user.plan ?? 'No plan'}</td>
            <td className="text-right tabular-nums max-sm:order-1">
              {user.credits.toLocaleString('en-US')}
              <span className="sm:hidden"> credits</span>
            </td>
            <td className="whitespace-nowrap text-ink-2 max-sm:order-3 max-sm:text-right">
              {seen(user.seenAt)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
