import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

import { articleSlugs, paths } from '#web/paths.ts'

/**
 * The documents of the build: one for each public page, and one empty shell for all screens of the app.
 */
export default [
  // To signed-in visitors the server sends the app's shell in its place.
  index('../../features/site/ui/landing-page.tsx'),
  // Every other screen of the app has the same shell.
  route(paths.auth.slice(1), './shell-page.tsx'),

  // Filled by the server.
  route('templates/plain', '../../web/plain-page.tsx'),
  // So are these, for each link that people share.
  route('templates/share', '../../features/sharing/ui/share-page.tsx'),
  route('templates/share-ended', '../../features/sharing/ui/ended-page.tsx'),
  route('templates/share-password', '../../features/sharing/ui/password-page.tsx'),

  // These are documents without the app, so links to them load the page.
  layout('../../features/site/ui/site-layout.tsx', [
    route('features', '../../features/site/ui/features-page.tsx'),
    route('pricing', '../../features/site/ui/pricing-page.tsx'),
    route('faq', '../../features/site/ui/faq-page.tsx'),
    route('blog', '../../features/site/ui/blog-page.tsx'),
    ...articleSlugs.map((slug) =>
      route(`blog/${slug}`, '../../features/site/ui/article-page.tsx', { id: slug }),
    ),
    route('privacy', '../../features/site/ui/privacy-page.tsx'),
    route('terms', '../../features/site/ui/terms-page.tsx'),
    route('contact', '../../features/site/ui/contact-page.tsx'),
    route('api', '../../features/site/ui/api-page.tsx'),
    route('*', '../../features/site/ui/not-found-page.tsx'),
  ]),
] satisfies RouteConfig
