import { paths } from '#web/paths.ts'

/** The links of the signed-in header; on a phone they are part of the menu. */
export const mainLinks = [
  [paths.features, 'Features'],
  [paths.pricing, 'Pricing'],
  [paths.api, 'API'],
  [paths.faq, 'FAQ'],
] as const

export function MainNav() {
  return (
    <nav aria-label="Main" className="ml-12 hidden md:block print:hidden">
      <ul className="flex gap-7">
        {mainLinks.map(([href, label]) => (
          <li key={href}>
            <a href={href} className="flex h-[60px] items-center text-ui text-ink-2 hover:text-ink">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
