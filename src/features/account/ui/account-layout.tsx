import { NavLink, Outlet, useLocation, useNavigate } from 'react-router'

import { paths } from '#web/paths.ts'
import { Container } from '#web/ui/container.tsx'
import { Select } from '#web/ui/select.tsx'

const pages = [
  [paths.account, 'Profile'],
  [paths.accountCredits, 'Credits'],
  [paths.accountPlan, 'Plan and receipts'],
  [paths.accountVocabulary, 'Vocabulary'],
  [paths.accountTemplates, 'Document types'],
  [paths.accountSecurity, 'Security'],
  [paths.accountData, 'Your data'],
  [paths.accountApiKeys, 'API keys'],
  [paths.accountWebhooks, 'Webhooks'],
] as const

/** The pages about the account itself, with an index of them beside, or on phones above. */
export default function AccountLayout() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <Container className="grid gap-x-12 gap-y-6 pt-8 pb-16 lg:grid-cols-[200px_minmax(0,1fr)] lg:pt-10">
      <nav aria-label="Account" className="max-lg:hidden">
        <ul className="border-l border-rule">
          {pages.map(([path, label]) => (
            <li key={path}>
              <NavLink
                to={path}
                end
                className="-ml-px flex h-[42px] items-center border-l-3 border-transparent pl-4 text-ui text-ink-2 hover:text-ink aria-[current=page]:border-playhead aria-[current=page]:font-semibold aria-[current=page]:text-ink"
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Account" className="lg:hidden">
        <Select
          label="Account page"
          hideLabel
          value={pathname.replace(/(.)\/$/, '$1')}
          onChange={(event) => void navigate(event.target.value)}
        >
          {pages.map(([path, label]) => (
            <option key={path} value={path}>
              {label}
            </option>
          ))}
        </Select>
      </nav>
      <div className="max-w-[45rem] min-w-0">
        <Outlet />
      </div>
    </Container>
  )
}
