-- The database folds as src/shared/fold.ts does: accents, the points of Hebrew and Arabic and what is
-- not seen do not matter; other marks do. Letters such as ß and ł are found by those that stand for
-- them. In writings without spaces a letter stays with the marks above and below it.
CREATE OR REPLACE FUNCTION "search_text"("said" text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  select regexp_replace(
    regexp_replace(
      normalize(
        replace(replace(replace(replace(
          translate(
            lower(regexp_replace(normalize(said, NFKD),
              '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]', '', 'g')),
            'øłđðħŧıςʹʻʼʽʾʿˈ', 'olddhtiσ'''''''''''''''),
          'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
        NFKC),
      '[\u0001-/:-@\[-`{-\u00bf\u2000-\u206f\u3000-\u303f\ufe30-\ufe4f]+', ' ', 'g'),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9fe\uaa60-\uaa7f\uf900-\ufaff\U00020000-\U0003ffff][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd]*)', ' \1 ', 'g')
$$;
--> statement-breakpoint
-- What is plain ASCII folds as before. The rest is folded anew, by writing what it is made of.
UPDATE "turns" SET "text" = "text" WHERE "text" ~ '[^\u0001-\u007f]';
--> statement-breakpoint
UPDATE "transcriptions" SET "original_name" = "original_name", "speakers" = "speakers"
WHERE "original_name" ~ '[^\u0001-\u007f]' OR "speakers"::text ~ '[^\u0001-\u007f]';
