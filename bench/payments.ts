/**
 * Is every purchase granted exactly once? Purchases against a stand-in for Stripe, whose events come
 * twice, shuffled and into crashes, while the buyers look at the success page.
 *
 *     npm run bench -- payments [purchases = 200] [seed = 7]
 */
import { seeded } from '#shared/random.ts'
import { aShop } from '#test/payments.ts'
import { crashing, purchases } from '#test/purchases.ts'

import { openBenchDatabase } from './tools/house.ts'

const [count = 200, seed = 7] = process.argv.slice(2).map(Number)
const { database, stop } = await openBenchDatabase()
try {
  const shop = await aShop(database, { works: false })
  const random = seeded(seed)
  const crash = { count: 0, next: () => random() < 0.1 }
  crashing(shop, crash)
  const startedAt = Date.now()
  const report = await purchases(database.db, shop, { count, random, crash })
  const { purchases: all, paid, deliveries, looks, crashes, problems } = report
  console.log(
    `${all} purchases, ${paid} of them paid; ${deliveries} deliveries, ${looks} looks and ${crashes} crashes ` +
      `in ${Math.round((Date.now() - startedAt) / 1000)} s, seed ${seed}: ${problems.length} granted wrongly`,
  )
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
  process.exitCode = problems.length > 0 ? 1 : 0
  await shop.close()
} finally {
  await stop()
}
