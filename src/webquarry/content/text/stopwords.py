"""Stop words of the most used languages."""

_ENGLISH = """a about above after again against all also am an and any are as at be because been
before being below between both but by can could did do does doing down during each few for from
further had has have having he her here hers him his how i if in into is it its just me more most
my no nor not of off on once only or other our out over own per same she should so some such than
that the their them then there these they this those through to too under until up very via was we
were what when where which while who whom why will with would you your"""
_GERMAN = """aber als am an auch auf aus bei bin bis das dass dem den der des die doch du ein eine
einem einen einer eines er es für hat ich ihr im in ist ja kein keine man mit nach nicht noch nur
oder ohne sehr sein sich sie sind so über um und uns unter vom von vor war was wenn wer werden wie
wir wird wo zu zum zur"""
_FRENCH = """au aux avec ce ces cette comme dans de des du elle en est et eux il ils je la le les
leur lui ma mais me mes ne nos notre nous on ou où par pas pour qu que quel quelle qui sa sans
se ses son sont sur ta te tu un une vos votre vous"""
_SPANISH = """al algo ante como con contra cual cuando de del desde donde el ella en entre era es
esta este esto fue ha hay la las le lo los más me mi muy no nos o para pero por porque que qué quien
se ser si sin sobre son su sus también te un una uno y ya"""
_OTHERS = """che chi ci con da dei del della delle di e gli i il la le lo nei nel non per più quale
quando se si sono su tra un una uno as ao aos com da das de do dos e em entre era essa esse esta
este eu foi há isso mais mas na nas no nos não o os ou para pela pelo por que se sem seu sua são um
uma aan als bij dat de die dit een en er het hij hoe ik in is je met naar niet of om ook op te tot
uit van voor wat we wie zijn"""

ENGLISH = frozenset(_ENGLISH.split())
STOPWORDS = frozenset(" ".join((_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _OTHERS)).split())


def without_stopwords(query: str) -> str:
    """Return the query without English stop words; unchanged if quoted or otherwise empty."""
    if '"' in query:
        return query
    words = [word for word in query.split() if word.lower().strip("?!.,") not in ENGLISH]
    return " ".join(words) or query
