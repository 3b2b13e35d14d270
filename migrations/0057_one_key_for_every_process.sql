-- Tells a process without SECRET_KEY, or with another, that others of this database have one: see secret-key.ts.
ALTER TABLE "installation" ADD COLUMN "secret_key_hash" text;
