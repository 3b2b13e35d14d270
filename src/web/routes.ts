import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

const dashboard = '../features/transcriptions/ui/dashboard-page.tsx'
const coming = '../features/site/ui/coming-page.tsx'

/** Every screen of the product. What is still being written has one plain page. */
export default [
  layout('../features/account/ui/session-layout.tsx', [
    index('../features/site/ui/start-page.tsx'),
    route('auth', '../features/account/ui/auth-page.tsx'),

    layout('../features/account/ui/protected-layout.tsx', [
      route('home', dashboard, { id: 'home' }),
      route('dashboard', dashboard, { id: 'dashboard' }),
      ...['subscribe', 'upgrade', 'subscription-success', 'account', 'account/*'].map((path) =>
        route(path, coming, { id: path }),
      ),
    ]),

    layout('../features/account/ui/public-layout.tsx', [
      ...[
        'features',
        'pricing',
        'faq',
        'contact',
        'api',
        'blog',
        'blog/podcast-seo-transcription',
        'blog/professional-interview-transcription',
        'blog/meeting-transcription-vs-note-taking',
        'blog/video-transcription-content-marketing',
        'blog/legal-transcription-requirements',
        'blog/medical-transcription-accuracy',
        'privacy',
        'terms',
      ].map((path) => route(path, coming, { id: path })),
      route('*', '../features/site/ui/not-found-page.tsx'),
    ]),
  ]),
] satisfies RouteConfig
