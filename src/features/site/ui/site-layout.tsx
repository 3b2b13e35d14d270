import { Outlet, useLocation } from 'react-router'

import { SiteFrame } from './site-frame.tsx'

/** Every page below is a document of its own: HTML and CSS, and at most a small script. */
export const handle = { static: true }

export default function SiteLayout() {
  const { pathname } = useLocation()
  return (
    <SiteFrame current={pathname.replace(/(.)\/$/, '$1')}>
      <Outlet />
    </SiteFrame>
  )
}
