"""A real S3 server for tests: OpenStack Swift with its S3 door, on loopback and in one folder.

Swift is a proxy in front of three servers: accounts, containers, objects. Each runs here as a child
process on a socket that was opened before, so that no port is guessed. Prints the address of the
proxy when it answers, and ends all of them with SIGTERM, or when its parent is gone.

    server.py FOLDER ACCESS_KEY SECRET_KEY [PORT]
"""
import ctypes
import json
import os
import signal
import socket
import sys
import time

KINDS = ('account', 'container', 'object')
REGION = 'us-east-1'
PR_SET_PDEATHSIG = 1


def main(folder, access_key, secret_key, port=0):
    for name in ('conf', 'disks/one'):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    sockets = {kind: listen(0) for kind in KINDS}
    sockets['proxy'] = listen(int(port))
    write_settings(folder, {kind: made.getsockname()[1] for kind, made in sockets.items()})
    load()
    end_with_parent()
    parent = os.getpid()
    children = [begin(folder, kind, made, (access_key, secret_key), parent)
                for kind, made in sockets.items()]
    signal.signal(signal.SIGTERM, lambda *_: end(children))
    print('http://127.0.0.1:%d' % sockets['proxy'].getsockname()[1], flush=True)
    os.wait()
    end(children)


def listen(port):
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(('127.0.0.1', port))
    made.listen(1024)
    return made


def write_settings(folder, ports):
    conf = os.path.join(folder, 'conf')
    with open(os.path.join(conf, 'swift.conf'), 'w') as file:
        file.write('[swift-hash]\nswift_hash_path_suffix = tests\n'
                   '[storage-policy:0]\nname = only\ndefault = yes\n')
    from swift.common import utils
    utils.set_swift_dir(conf)
    from swift.common import storage_policy
    storage_policy.reload_storage_policies()
    from swift.common.ring import RingBuilder
    for kind in KINDS:
        # One copy on one disk: what a ring needs to say where everything lies.
        builder = RingBuilder(2, 1, 0)
        place = {'ip': '127.0.0.1', 'port': ports[kind]}
        builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'device': 'one', 'meta': '',
                         **place, 'replication_ip': '127.0.0.1', 'replication_port': ports[kind]})
        builder.rebalance()
        builder.get_ring().save(os.path.join(conf, kind + '.ring.gz'))
        settings(folder, kind, [kind + '-server'], {
            'app:' + kind + '-server': {'use': 'egg:swift#' + kind, 'conn_timeout': '30',
                                        'node_timeout': '60', 'container_update_timeout': '60'}})
    settings(folder, 'proxy', ['catch_errors', 'gatekeeper', 'cache', 'listing_formats', 's3api',
                               'tempauth', 'copy', 'slo', 'proxy-server'], {
        'app:proxy-server': {'use': 'egg:swift#proxy', 'account_autocreate': 'true',
                             'cors_allow_origin': '*', 'cors_expose_headers': 'etag,content-range',
                             # A busy machine is no reason to take a server for lost.
                             'conn_timeout': '30', 'node_timeout': '60',
                             'recoverable_node_timeout': '60', 'error_suppression_limit': '1000000'},
        'filter:cache': {'paste.filter_factory': '__main__:cache'},
        'filter:tempauth': {'paste.filter_factory': '__main__:users'},
        'filter:s3api': {'use': 'egg:swift#s3api', 'location': REGION,
                         'cors_preflight_allow_origin': '*'},
        'filter:slo': {'use': 'egg:swift#slo', 'max_manifest_segments': '10000'},
        **{'filter:' + name: {'use': 'egg:swift#' + name}
           for name in ('catch_errors', 'gatekeeper', 'listing_formats', 'copy')}})


def settings(folder, kind, pipeline, sections):
    everywhere = {'swift_dir': os.path.join(folder, 'conf'), 'devices': os.path.join(folder, 'disks'),
                  'mount_check': 'false', 'fallocate_reserve': '0', 'log_requests': 'false',
                  'recon_cache_path': folder}
    every = {'DEFAULT': everywhere, 'pipeline:main': {'pipeline': ' '.join(pipeline)}, **sections}
    with open(os.path.join(folder, 'conf', kind + '.conf'), 'w') as file:
        for name, pairs in every.items():
            file.write('[%s]\n%s\n' % (name, ''.join('%s = %s\n' % pair for pair in pairs.items())))


def load():
    """Loads before the children are forked what each of them needs: that is most of a start."""
    from swift.common import utils
    utils.eventlet_monkey_patch()
    import eventlet.wsgi
    import swift.account.server, swift.container.server, swift.obj.server, swift.proxy.server
    from swift.common.middleware import catch_errors, copy, gatekeeper, listing_formats, slo, tempauth
    from swift.common.middleware.s3api import s3api
    from swift.common.wsgi import loadapp


def begin(folder, kind, made, user, parent):
    child = os.fork()
    if child:
        return child
    end_with_parent()
    if os.getppid() != parent:
        os._exit(1)
    sys.modules['__main__'].user = user
    import eventlet
    import eventlet.wsgi
    from swift.common.wsgi import SwiftHttpProtocol, loadapp
    app = loadapp(os.path.join(folder, 'conf', kind + '.conf'))
    green = eventlet.greenio.GreenSocket(made)
    eventlet.wsgi.server(green, app, open(os.devnull, 'w'), protocol=SwiftHttpProtocol, debug=False,
                         custom_pool=eventlet.GreenPool(1024))
    os._exit(0)


def end_with_parent():
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def end(children):
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass
    os._exit(0)


def users(global_conf, **local_conf):
    """Swift's own users are called `account:user`; an access key has any form."""
    from swift.common.middleware.tempauth import TempAuth
    access_key, secret_key = sys.modules['__main__'].user

    def around(app):
        auth = TempAuth(app, {**global_conf, **local_conf})
        auth.users[access_key] = {'key': secret_key, 'url': '$HOST/v1/AUTH_tests',
                                  'groups': ['.admin', '.reseller_admin']}
        return auth
    return around


def cache(_global_conf, **_local_conf):
    """In the place of memcached: there is one proxy."""
    kept = Cache()

    def around(app):
        def answer(environ, start_response):
            environ['swift.cache'] = kept
            return app(environ, start_response)
        return answer
    return around


class Cache(object):
    def __init__(self):
        self.kept = {}

    def get(self, key, *_args, **_options):
        text, until = self.kept.get(key, ('null', 0))
        return json.loads(text) if until == 0 or until > time.time() else None

    def set(self, key, value, *_args, **options):
        lasts = options.get('time') or 0
        self.kept[key] = (json.dumps(value), time.time() + lasts if lasts else 0)

    def delete(self, key, *_args, **_options):
        self.kept.pop(key, None)

    def incr(self, key, delta=1, **options):
        value = max(0, int(self.get(key) or 0) + int(delta))
        self.set(key, value, **options)
        return value

    def decr(self, key, delta=1, **options):
        return self.incr(key, -int(delta), **options)


main(*sys.argv[1:])
