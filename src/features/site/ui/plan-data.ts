import { BRAND, CURRENCY, type Plan, plans } from '#shared/business.ts'
import { paths } from '#web/paths.ts'

import { absolute, organisation } from './page-head.tsx'

/** The product and its three prices, for search engines; without ratings, because there are none. */
export const softwareData = {
  '@type': 'SoftwareApplication',
  name: BRAND,
  applicationCategory: 'BusinessApplication',
  operatingSystem: 'Any, in the browser',
  url: absolute('/'),
  publisher: organisation,
  offers: plans.map((plan: Plan) => ({
    '@type': 'Offer',
    name: plan.name,
    description: `${plan.credits} credits a month`,
    price: (plan.priceCents / 100).toFixed(2),
    priceCurrency: CURRENCY.toUpperCase(),
    url: absolute(paths.pricing),
  })),
}
