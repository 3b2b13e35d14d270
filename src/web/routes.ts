import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

import { articleSlugs } from './paths.ts'

const dashboard = '../features/transcriptions/ui/dashboard-page.tsx'
const subscribe = '../features/billing/ui/subscribe-page.tsx'
const coming = '../features/site/ui/coming-page.tsx'

/** Every screen of the product. What is still being written has one plain page. */
export default [
  layout('../features/account/ui/session-layout.tsx', [
    index('../features/site/ui/start-page.tsx'),
    route('auth', '../features/account/ui/auth-page.tsx'),

    // They have a header of their own, and ask for a sign-in themselves.
    ...['subscribe', 'upgrade'].map((path) => route(path, subscribe, { id: path })),

    layout('../features/account/ui/protected-layout.tsx', [
      route('home', dashboard, { id: 'home' }),
      route('dashboard', dashboard, { id: 'dashboard' }),
      route('subscription-success', '../features/billing/ui/success-page.tsx'),
      layout('../features/account/ui/account-layout.tsx', [
        route('account', '../features/account/ui/profile-page.tsx'),
        route('account/credits', '../features/billing/ui/credits-page.tsx'),
        route('account/security', '../features/account/ui/security-page.tsx'),
        route('account/data', '../features/account/ui/data-page.tsx'),
        route('account/api-keys', '../features/developers/ui/keys-page.tsx'),
        route('account/webhooks', '../features/developers/ui/webhooks-page.tsx'),
        route('account/*', coming, { id: 'account/*' }),
      ]),
    ]),
  ]),

  // Documents of their own, without any of the app: links to them load the page.
  layout('../features/site/ui/site-layout.tsx', [
    route('features', '../features/site/ui/features-page.tsx'),
    route('pricing', '../features/site/ui/pricing-page.tsx'),
    route('faq', '../features/site/ui/faq-page.tsx'),
    route('blog', '../features/site/ui/blog-page.tsx'),
    ...articleSlugs.map((slug) =>
      route(`blog/${slug}`, '../features/site/ui/article-page.tsx', { id: slug }),
    ),
    route('privacy', '../features/site/ui/privacy-page.tsx'),
    route('terms', '../features/site/ui/terms-page.tsx'),
    route('contact', '../features/site/ui/contact-page.tsx'),
    route('api', '../features/site/ui/api-page.tsx'),
    route('*', '../features/site/ui/not-found-page.tsx'),
  ]),
] satisfies RouteConfig
